import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { deleteOldRecords } from '../../../src/process/retention/retention.ts'
import {
  countRows,
  expireKeys,
  isReplayed,
  keepRunning,
  keyRow,
  makeSender,
  newKey,
  SEND,
  withKey,
} from '../../support/idempotency.ts'
import { PRODUCTS } from '../../support/products.ts'
import { makeShop, separateService, service } from '../../support/service.ts'
import { insertEnabledTemplate, topUp, VALUES } from '../../support/templates.ts'

const running = await service()
const { db } = running.deps

describe('G-10 Idempotency-Key', () => {
  it('200 again with the stored body and Idempotency-Replayed, and nothing happens twice', async () => {
    const shop = await makeShop(running)
    const headers = newKey()
    const first = await shop.post(PRODUCTS, { name: 'Hoa hồng', price: 1_000 }, headers)
    const again = await shop.post(PRODUCTS, { name: 'Hoa hồng', price: 1_000 }, headers)
    expect(first.status).toBe(200)
    expect(isReplayed(first)).toBe(false)
    expect(again).toMatchObject({ status: 200, body: first.body })
    expect(again.headers['content-type']).toBe(first.headers['content-type'])
    expect(isReplayed(again)).toBe(true)
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    expect(await countRows(db, 'products', shop)).toBe(1)
  })

  it('the order of fields and the defaults left out do not make another request', async () => {
    const shop = await makeShop(running)
    const headers = newKey()
    const images = ['https://cdn.example/a.png']
    const first = await shop.post(PRODUCTS, { name: 'Hoa', price: 1_000, images }, headers)
    expect(await shop.post(PRODUCTS, { images, price: 1_000, name: 'Hoa' }, headers)).toMatchObject({
      status: 200,
      body: first.body,
    })
  })

  it('a stored status other than 200 is given again: 201, 202, 404, 409', async () => {
    const { shop, toPhone } = await makeSender(running)
    const customer = { fullName: 'Lan', phone: '0901234567' }
    const created = newKey()
    expect((await shop.post('/api/external/v1/customers', customer, created)).status).toBe(201)
    expect(await shop.post('/api/external/v1/customers', customer, created)).toMatchObject({ status: 201 })

    const accepted = { ...newKey(), prefer: 'respond-async' }
    expect((await toPhone(accepted)).status).toBe(202)
    expect(await toPhone(accepted)).toMatchObject({ status: 202, body: { data: { status: 'SENDING' } } })

    const missing = newKey()
    const nowhere = `/api/external/news/${'0'.repeat(24)}`
    expect((await shop.call('PUT', nowhere, { title: 'x' }, missing)).status).toBe(404)
    const notFound = await shop.call('PUT', nowhere, { title: 'x' }, missing)
    expect([notFound.status, isReplayed(notFound)]).toEqual([404, true])

    const taken = newKey()
    expect((await shop.post('/api/external/v1/customers', customer, taken)).status).toBe(409)
    const conflict = await shop.post('/api/external/v1/customers', customer, taken)
    expect([conflict.status, isReplayed(conflict)]).toEqual([409, true])
    expect(await countRows(db, 'customers', shop)).toBe(1)
  })

  it('422 IDEMPOTENCY_KEY_REUSED with another body, path or method, and nothing is done', async () => {
    const shop = await makeShop(running)
    const headers = newKey()
    const made = await shop.post(PRODUCTS, { name: 'Hoa', price: 1_000 }, headers)
    const others = [
      await shop.post(PRODUCTS, { name: 'Hoa', price: 1_001 }, headers),
      await shop.post('/api/external/news', { title: 'Hoa', content: 'x' }, headers),
      await shop.call(
        'PATCH',
        `${PRODUCTS}/${made.body.data._id}`,
        { shopId: shop.shopId, name: 'Hoa' },
        headers,
      ),
    ]
    for (const other of others) {
      expect(other.status).toBe(422)
      expect(other.body).toEqual({
        statusCode: 422,
        error: 'Unprocessable Entity',
        message: expect.stringContaining('Idempotency-Key'),
        code: 'IDEMPOTENCY_KEY_REUSED',
      })
    }
    expect([await countRows(db, 'products', shop), await countRows(db, 'news', shop)]).toEqual([1, 0])
    expect((await shop.get(`${PRODUCTS}/${made.body.data._id}`)).body.data.price).toBe(1_000)
  })

  it('200 with the stored response for the other spelling of an id', async () => {
    const shop = await makeShop(running)
    const { _id: id } = (await shop.post(PRODUCTS, { name: 'Hoa', price: 1_000 })).body.data
    const headers = newKey()
    const change = { shopId: shop.shopId, price: 2_000 }
    expect((await shop.call('PATCH', `${PRODUCTS}/${id}`, change, headers)).status).toBe(200)
    const again = await shop.call('PATCH', `${PRODUCTS}/${id.toUpperCase()}`, change, headers)
    expect([again.status, isReplayed(again)]).toEqual([200, true])
  })

  it('409 with Retry-After while the first is running; 422 then too for another body', async () => {
    const shop = await makeShop(running)
    const body = { name: 'Hoa', price: 1_000 }
    expect((await shop.post(PRODUCTS, body, withKey('k'))).status).toBe(200)
    await keepRunning(db, shop.shopId, 'k', new Date(Date.now() + 10_000))
    const busy = await shop.post(PRODUCTS, body, withKey('k'))
    expect(busy.status).toBe(409)
    expect(busy.body).toMatchObject({ statusCode: 409, code: 'IDEMPOTENCY_KEY_IN_PROGRESS' })
    expect(Number(busy.headers['retry-after'])).toBe(2)
    expect((await shop.post(PRODUCTS, { ...body, price: 2 }, withKey('k'))).status).toBe(422)
    expect(await countRows(db, 'products', shop)).toBe(1)
  })

  it('400 in the validation shape for an empty key or one of 256 characters; 255 are fine', async () => {
    const shop = await makeShop(running)
    const body = { name: 'Hoa', price: 1_000 }
    const long = await shop.post(PRODUCTS, body, withKey('k'.repeat(256)))
    expect(long.status).toBe(400)
    expect(long.body).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: 'Validation failed',
      validation: {
        headers: {
          source: 'headers',
          keys: ['idempotency-key'],
          message: '"idempotency-key" length must be less than or equal to 255 characters long',
        },
      },
    })
    const empty = await shop.post(PRODUCTS, body, withKey(''))
    expect(empty.body.validation.headers.message).toBe('"idempotency-key" is not allowed to be empty')
    expect((await shop.post(PRODUCTS, body, withKey('k'.repeat(255)))).status).toBe(200)
    expect((await shop.get(PRODUCTS, withKey('k'.repeat(256)))).status).toBe(200)
    expect(await countRows(db, 'products', shop)).toBe(1)
  })

  it('nothing is kept for a 400: the key is free, also for another body', async () => {
    const { shop, toPhone } = await makeSender(running, 0)
    const headers = withKey('k')
    expect((await shop.post(PRODUCTS, { name: 'Hoa' }, headers)).status).toBe(400)
    const low = await toPhone(headers)
    expect(low).toMatchObject({ status: 400, body: { code: 'WALLET_TOO_LOW' } })
    expect(await keyRow(db, shop.shopId, 'k')).toBeUndefined()
    await topUp(running, shop.shopId, 1_000)
    const sent = await toPhone(headers)
    expect([sent.status, isReplayed(sent)]).toEqual([200, false])
  })

  it('a platform’s refusal is a 400 too: the key sends again', async () => {
    const { toPhone, shop } = await makeSender(running)
    const headers = newKey()
    expect(await toPhone(headers, '0901230001')).toMatchObject({
      status: 400,
      body: { code: 'PLATFORM_REFUSED' },
    })
    expect((await toPhone(headers, '0901234567')).status).toBe(200)
    expect(await countRows(db, 'messages', shop)).toBe(2)
  })

  it('nothing is kept for 401 and 429, and a repetition counts to the rate limit', async () => {
    const limited = await separateService({ ratePerMinute: 3 })
    const shop = await makeShop(limited)
    const body = { name: 'Hoa', price: 1_000 }
    const unknown = await shop.post(PRODUCTS, body, { ...withKey('k'), 'x-api-key': 'service-partner no' })
    expect(unknown.status).toBe(401)
    expect(await keyRow(limited.deps.db, shop.shopId, 'k')).toBeUndefined()
    const answers = []
    for (let n = 0; n < 4; n++) answers.push(await shop.post(PRODUCTS, body, withKey('k')))
    expect(answers.map((one) => one.status)).toEqual([200, 200, 200, 429])
    expect(answers.map(isReplayed)).toEqual([false, true, true, false])
    expect((await shop.post(PRODUCTS, body, withKey('other'))).status).toBe(429)
    expect(await keyRow(limited.deps.db, shop.shopId, 'other')).toBeUndefined()
  })

  it('the same key of another shop is another key', async () => {
    const [one, other] = [await makeShop(running), await makeShop(running)]
    const made = await one.post(PRODUCTS, { name: 'Hoa', price: 1 }, withKey('k'))
    const theirs = await other.post(PRODUCTS, { name: 'Lan', price: 2 }, withKey('k'))
    expect([made.status, theirs.status, isReplayed(theirs)]).toEqual([200, 200, false])
    expect(theirs.body.data.name).toBe('Lan')
  })

  it('GET and DELETE take no notice of the header', async () => {
    const shop = await makeShop(running)
    await shop.get(PRODUCTS, withKey('k'))
    await shop.call('DELETE', `/api/external/news/${'0'.repeat(24)}`, undefined, withKey('k'))
    expect(await keyRow(db, shop.shopId, 'k')).toBeUndefined()
  })

  it('PUT and PATCH are done once: the version rises once, and each response has its ETag (G-71)', async () => {
    const shop = await makeShop(running)
    const product = (await shop.post(PRODUCTS, { name: 'Hoa', price: 1 })).body.data
    const news = (await shop.post('/api/external/news', { title: 'Tin', content: 'x' })).body.data
    const [patched, put] = [newKey(), newKey()]
    for (let n = 0; n < 3; n++) {
      const change = { shopId: shop.shopId, price: 5 }
      const { body, headers } = await shop.call('PATCH', `${PRODUCTS}/${product._id}`, change, patched)
      expect([body.data.__v, headers.etag, headers['cache-control']]).toEqual([1, '"1"', 'no-store'])
      const article = await shop.call('PUT', `/api/external/news/${news._id}`, { title: 'Mới' }, put)
      expect(article.body.data.__v).toBe(1)
    }
  })

  it('after 24 hours a key is new, and the background deletes what has expired', async () => {
    const shop = await makeShop(running)
    const body = { name: 'Hoa', price: 1_000 }
    const first = await shop.post(PRODUCTS, body, withKey('k'))
    const row = await keyRow(db, shop.shopId, 'k')
    const hours = (row.expires_at.getTime() - new Date(first.body.data.createdAt).getTime()) / 3_600_000
    expect(hours).toBeCloseTo(24, 2)
    await expireKeys(db, shop.shopId)
    const second = await shop.post(PRODUCTS, { ...body, price: 2 }, withKey('k'))
    expect([second.status, isReplayed(second)]).toEqual([200, false])
    expect(second.body.data._id).not.toBe(first.body.data._id)
    await shop.post(PRODUCTS, { ...body, price: 3 }, withKey('other'))
    await sql`
      update idempotency_keys set expires_at = '2026-01-01'
      where shop_id = ${shop.shopId} and key = 'k'`.execute(db)
    expect(await deleteOldRecords(running.deps, 'idempotency keys')).toBeGreaterThanOrEqual(1)
    expect(await keyRow(db, shop.shopId, 'k')).toBeUndefined()
    expect(await keyRow(db, shop.shopId, 'other')).toBeDefined()
  })
})

describe('G-10 errors of ours', () => {
  it('503 when the platform is away: nothing was sent, and the key sends once it is back', async () => {
    const away = await separateService()
    const shop = await makeShop(away)
    const template = await insertEnabledTemplate(away, shop.shopId)
    await topUp(away, shop.shopId, 1_000)
    const body = { templateId: template.id, receiverPhone: '0901234567', params: VALUES }
    await away.simulator.close()
    const refused = await shop.post(SEND, body, withKey('k'))
    expect(refused.status).toBe(503)
    expect((await shop.get('/api/external/wallet')).body).toEqual({ balance: 1_000, held: 0 })
    await expect.poll(() => keyRow(away.deps.db, shop.shopId, 'k')).toBeUndefined()
  }, 30_000)

  it('500 for a malformed id lets the same request be tried again', async () => {
    const shop = await makeShop(running)
    for (let n = 0; n < 2; n++) {
      const malformed = await shop.call('PUT', '/api/external/news/nope', { title: 'x' }, withKey('k'))
      expect([malformed.status, isReplayed(malformed)]).toEqual([500, false])
    }
  })
})
