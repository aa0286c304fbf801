import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { isUniqueViolation } from '../../src/db/client.ts'
import { forgetExpiredKeys } from '../../src/modules/idempotency/forget-keys.ts'
import { acceptMessage } from '../../src/modules/messages/send-message.ts'
import { expireKeys, keepRunning, keyRow, loseAnswer } from '../support/idempotency.ts'
import { checkInvariants } from '../support/invariants.ts'
import { type Answer, makeShop, type Partner, separateService, service } from '../support/service.ts'
import { control, insertEnabledTemplate, messagesOnPlatform, topUp, VALUES } from '../support/templates.ts'

const running = await service()
const { db } = running.deps

const SEND = '/api/external/notify-message/send'
const SEND_UID = '/api/external/chatapp/uid-notify/send-message'
const PRODUCTS = '/api/external/v1/products'
const ORDER = '/api/external/order/pos/create'

const newKey = () => ({ 'idempotency-key': randomUUID() })
const withKey = (key: string) => ({ 'idempotency-key': key })

async function makeSender(money = 10_000) {
  const shop = await makeShop(running)
  const template = await insertEnabledTemplate(running, shop.shopId)
  if (money > 0) await topUp(running, shop.shopId, money)
  const toPhone = (headers: Record<string, string>, receiverPhone = '0901234567') =>
    shop.post(SEND, { templateId: template.id, receiverPhone, params: VALUES }, headers)
  const toUid = (headers: Record<string, string>, userUID = 'uid-1') =>
    shop.post(SEND_UID, { templateId: template.id, userUID, templateData: VALUES }, headers)
  return { shop, template, toPhone, toUid, sent: () => messagesOnPlatform(running, template.oaId) }
}

async function count(table: string, shop: Partner): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${sql.table(table)} where shop_id = ${shop.shopId}`.execute(db)
  return rows[0]!.n
}

const isReplayed = (answer: Answer) => answer.headers['idempotency-replayed'] === 'true'

/** The answers of 50 requests at once: all with the one effect, or told that it is on its way. */
function expectOneEffect(answers: Answer[], status: number): Answer {
  const others = answers.filter((one) => one.status !== status)
  for (const other of others) {
    expect(other).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_IN_PROGRESS' } })
    expect(Number(other.headers['retry-after'])).toBeGreaterThan(0)
  }
  const told = answers.filter((one) => one.status === status)
  expect(told.filter((one) => !isReplayed(one))).toHaveLength(1)
  for (const one of told) expect(one.body).toEqual(told[0]!.body)
  return told[0]!
}

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
    expect(await count('products', shop)).toBe(1)
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
    const { shop, toPhone } = await makeSender()
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
    expect(await count('customers', shop)).toBe(1)
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
    expect([await count('products', shop), await count('news', shop)]).toEqual([1, 0])
    expect((await shop.get(`${PRODUCTS}/${made.body.data._id}`)).body.data.price).toBe(1_000)
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
    expect(await count('products', shop)).toBe(1)
  })

  it('400 in the validation shape for a key of 256 characters or none; 255 are fine', async () => {
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
    expect(await count('products', shop)).toBe(1)
  })

  it('nothing is kept for a 400: the key is free, also for another body', async () => {
    const { shop, toPhone } = await makeSender(0)
    const headers = withKey('k')
    expect((await shop.post(PRODUCTS, { name: 'Hoa' }, headers)).status).toBe(400)
    const low = await toPhone(headers)
    expect(low).toMatchObject({ status: 400, body: { code: 'WALLET_TOO_LOW' } })
    expect(await keyRow(db, shop.shopId, 'k')).toBeUndefined()
    await topUp(running, shop.shopId, 1_000)
    const sent = await toPhone(headers)
    expect([sent.status, isReplayed(sent)]).toEqual([200, false])
  })

  it('a platform’s refusal is a 400 too: the key sends anew', async () => {
    const { toPhone, shop } = await makeSender()
    const headers = newKey()
    expect(await toPhone(headers, '0901230001')).toMatchObject({
      status: 400,
      body: { code: 'PLATFORM_REFUSED' },
    })
    expect((await toPhone(headers, '0901234567')).status).toBe(200)
    expect(await count('messages', shop)).toBe(2)
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

  it('PUT and PATCH are done once: the version rises once', async () => {
    const shop = await makeShop(running)
    const product = (await shop.post(PRODUCTS, { name: 'Hoa', price: 1 })).body.data
    const news = (await shop.post('/api/external/news', { title: 'Tin', content: 'x' })).body.data
    const [patched, put] = [newKey(), newKey()]
    for (let n = 0; n < 3; n++) {
      const change = { shopId: shop.shopId, price: 5 }
      expect((await shop.call('PATCH', `${PRODUCTS}/${product._id}`, change, patched)).body.data.__v).toBe(1)
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
    expect(await forgetExpiredKeys(running.deps)).toBeGreaterThanOrEqual(1)
    expect(await keyRow(db, shop.shopId, 'k')).toBeUndefined()
    expect(await keyRow(db, shop.shopId, 'other')).toBeDefined()
  })
})

describe('G-10 fifty at once with one key', () => {
  const fifty = (call: () => Promise<Answer>) => Promise.all(Array.from({ length: 50 }, call))

  it('E5: one message, one hold, one capture', async () => {
    const { shop, toPhone, sent } = await makeSender()
    const headers = newKey()
    const told = expectOneEffect(await fifty(() => toPhone(headers)), 200)
    const messages = await sent()
    expect(messages.map((one) => one.tracking_id)).toEqual([told.body.data.message_id])
    expect(await count('messages', shop)).toBe(1)
    expect(await count('wallet_entries', shop)).toBe(3)
    expect((await shop.get('/api/external/wallet')).body).toEqual({ balance: 9_800, held: 0 })
    const replayed = await toPhone(headers)
    expect([replayed.body, isReplayed(replayed)]).toEqual([told.body, true])
    await checkInvariants(db, shop.shopId)
  })

  it('E6: one message', async () => {
    const { shop, toUid, sent } = await makeSender()
    const headers = newKey()
    expectOneEffect(await fifty(() => toUid(headers)), 200)
    expect(await sent()).toHaveLength(1)
    expect((await shop.get('/api/external/wallet')).body).toEqual({ balance: 9_945, held: 0 })
  })

  it('E10: one product', async () => {
    const shop = await makeShop(running)
    const headers = newKey()
    expectOneEffect(await fifty(() => shop.post(PRODUCTS, { name: 'Hoa', price: 1 }, headers)), 200)
    expect(await count('products', shop)).toBe(1)
  })

  it('E14: one order', async () => {
    const shop = await makeShop(running)
    const { _id: id } = (await shop.post(PRODUCTS, { name: 'Hoa', price: 1 })).body.data
    const headers = newKey()
    expectOneEffect(await fifty(() => shop.post(ORDER, { orderItems: [{ id, quantity: 1 }] }, headers)), 200)
    expect(await count('orders', shop)).toBe(1)
    await checkInvariants(db, shop.shopId)
  })

  it('fifty keys are fifty messages', async () => {
    const { toPhone, sent } = await makeSender()
    const phones = Array.from({ length: 50 }, (_, n) => `09012345${10 + n}`)
    const answers = await Promise.all(phones.map((phone) => toPhone(newKey(), phone)))
    expect(new Set(answers.map((one) => one.body.data.message_id)).size).toBe(50)
    expect(await sent()).toHaveLength(50)
  })
})

describe('G-10 an answer lost with its process', () => {
  it('E5: the retry tells what became of the message and sends nothing', async () => {
    const { shop, toPhone, sent } = await makeSender()
    const first = await toPhone(withKey('k'))
    await loseAnswer(db, shop.shopId, 'k')
    const again = await toPhone(withKey('k'))
    expect([again.status, again.body, isReplayed(again)]).toEqual([200, first.body, false])
    expect(isReplayed(await toPhone(withKey('k')))).toBe(true)
    expect(await sent()).toHaveLength(1)
    await checkInvariants(db, shop.shopId)
  })

  it('E5: 202 for one that the dead process had accepted and perhaps sent', async () => {
    const { shop, toPhone } = await makeSender()
    const first = await toPhone(withKey('k'), '0901230006')
    expect(first).toMatchObject({ status: 202, body: { data: { status: 'UNKNOWN' } } })
    await loseAnswer(db, shop.shopId, 'k')
    expect(await toPhone(withKey('k'), '0901230006')).toMatchObject({ status: 202, body: first.body })
    expect(await count('messages', shop)).toBe(1)
  }, 30_000)

  it('E6: 400 with the platform’s number for one that was refused meanwhile; then the key is free', async () => {
    const { shop, toUid } = await makeSender()
    await toUid(withKey('k'))
    await sql`
      update messages set state = 'ERROR', error_code = '-227', error_text = 'user is banned', session_id = ''
      where shop_id = ${shop.shopId}`.execute(db)
    await loseAnswer(db, shop.shopId, 'k')
    const refused = await toUid(withKey('k'))
    expect(refused).toMatchObject({ status: 400, body: { error: -227, code: 'PLATFORM_REFUSED' } })
    expect(await keyRow(db, shop.shopId, 'k')).toBeUndefined()
  })

  it('E5: sent by the retry when the process died before it accepted anything', async () => {
    const { shop, toPhone, sent } = await makeSender()
    await toPhone(withKey('k'))
    const { resource_id: id } = await keyRow(db, shop.shopId, 'k')
    expect(id).toBe((await sent())[0]!.tracking_id)
    await loseAnswer(db, shop.shopId, 'k')
    const unused = '0'.repeat(23)
    await sql`
      update idempotency_keys set resource_id = ${`${unused}1`} where shop_id = ${shop.shopId}`.execute(db)
    expect((await toPhone(withKey('k'))).body.data.message_id).toBe(`${unused}1`)
    expect(await sent()).toHaveLength(2)
  })

  it.each([
    ['E1', 'templates', '/api/external/notify-template/create'],
    ['E10', 'products', PRODUCTS],
    ['E14', 'orders', ORDER],
    ['G-46', 'customers', '/api/external/v1/customers'],
    ['G-50', 'news', '/api/external/news'],
  ])('%s: the retry answers with the record of the first try (%s)', async (_clause, table, path) => {
    const shop = await makeShop(running)
    const product = await shop.post(PRODUCTS, { name: 'Hoa', price: 7 })
    const bodies: Record<string, object> = {
      templates: {
        oaId: 'oa',
        name: 'Xác nhận đơn',
        title: 'Đơn hàng mới',
        tag: '1',
        templateType: 'custom',
        imageType: 'logo',
        logoLight: 'https://cdn.example/l.png',
        logoDark: 'https://cdn.example/d.png',
        contentBlocks: [{ id: randomUUID(), type: 'paragraph', value: 'Cảm ơn quý khách' }],
        buttons: [],
        params: [],
        isCustomParams: true,
      },
      products: {
        name: 'Áo',
        price: 9,
        variants: [{ id: 'm', name: 'Màu', options: [{ id: 'r', value: 'Đỏ' }] }],
        skus: [{ name: 'Đỏ', price: 9, variantOptionIds: ['r'] }],
      },
      orders: { orderItems: [{ id: product.body.data._id, quantity: 2 }] },
      customers: { fullName: 'Lan', phone: '0901234567' },
      news: { title: 'Tin', content: '<p>Nội dung</p>' },
    }
    const before = await count(table, shop)
    const first = await shop.post(path, bodies[table], withKey('k'))
    expect(first.status, JSON.stringify(first.body)).toBeLessThan(300)
    await loseAnswer(db, shop.shopId, 'k')
    const again = await shop.post(path, bodies[table], withKey('k'))
    expect(again).toMatchObject({ status: first.status, body: first.body })
    expect(await count(table, shop)).toBe(before + 1)
  })

  it('G-15: publishing is found done', async () => {
    const shop = await makeShop(running)
    const template = await insertEnabledTemplate(running, shop.shopId, { status: 'DRAFT' })
    const publish = () =>
      shop.post(`/api/external/notify-template/${template.id}/publish`, undefined, withKey('k'))
    expect(await publish()).toMatchObject({ status: 200, body: { template: { status: 'PENDING_REVIEW' } } })
    await loseAnswer(db, shop.shopId, 'k')
    const again = await publish()
    expect([again.status, isReplayed(again)]).toEqual([200, false])
    expect(await count('template_revisions', shop)).toBe(1)
  })

  it('E11: a change is made again, to the same values', async () => {
    const shop = await makeShop(running)
    const { _id: id } = (await shop.post(PRODUCTS, { name: 'Hoa', price: 7 })).body.data
    const change = { shopId: shop.shopId, price: 8 }
    await shop.call('PATCH', `${PRODUCTS}/${id}`, change, withKey('k'))
    await loseAnswer(db, shop.shopId, 'k')
    const again = await shop.call('PATCH', `${PRODUCTS}/${id}`, change, withKey('k'))
    expect(again).toMatchObject({ status: 200, body: { data: { price: 8 } } })
  })

  it('of tries at one message id at once, one is accepted and held for', async () => {
    const { shop, template } = await makeSender()
    const request = {
      templateId: template.id,
      channel: 'phone' as const,
      phone: '84901234567',
      userUid: '',
      isSample: false,
      params: VALUES,
      paramsPath: ['params'],
    }
    const id = running.deps.ids.next()
    const tries = await Promise.allSettled(
      Array.from({ length: 5 }, () => acceptMessage(running.deps, shop.shopId, request, id)),
    )
    expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    for (const one of tries) {
      if (one.status === 'rejected') expect(isUniqueViolation(one.reason, 'messages_pkey')).toBe(true)
    }
    expect((await shop.get('/api/external/wallet')).body).toEqual({ balance: 9_800, held: 200 })
  })

  it('a late first try and its retry together have one effect', async () => {
    const { shop, toPhone, sent } = await makeSender()
    const slow = [{ kind: 'latency', endpoint: '/message/template', share: 1, latencyMs: 600 }]
    await control(running, '/faults', slow)
    try {
      const first = toPhone(withKey('k'))
      await expect.poll(() => count('messages', shop)).toBe(1)
      await keepRunning(db, shop.shopId, 'k', new Date('2026-01-01'))
      const retried = await toPhone(withKey('k'))
      expect(retried).toMatchObject({ status: 202, body: { data: { status: 'SENDING' } } })
      expect((await first).body.data.message_id).toBe(retried.body.data.message_id)
    } finally {
      await control(running, '/faults', [])
    }
    expect(await sent()).toHaveLength(1)
    await checkInvariants(db, shop.shopId)
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
