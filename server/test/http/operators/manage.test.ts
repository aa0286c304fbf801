import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { withoutReferences } from '../../../src/lib/without-references.ts'
import { type Schema, sampleOf } from '../../support/api-operations.ts'
import { loseAnswer } from '../../support/idempotency.ts'
import { checkInvariants } from '../../support/invariants.ts'
import {
  makeShop,
  manage,
  OPERATOR_TOKEN,
  partnerOf,
  send,
  service,
  unusedId,
} from '../../support/service.ts'
import { insertEnabledTemplate, VALUES } from '../../support/templates.ts'

const running = await service()

/** Bodies for operations that need more than their schema's minimum. */
const BODIES: Record<string, object> = {
  '/api/manage/v1/shops/{id}/invitations': { email: 'an@example.vn' },
}

describe('G-61 management API', () => {
  it('201 with the shop and a key that works at once', async () => {
    const made = await manage(running, 'POST', '/shops', { name: 'Cửa hàng Hoa' })
    expect(made.status).toBe(201)
    expect(made.body.data.shop).toMatchObject({ name: 'Cửa hàng Hoa', language: 'vi', oversell: 'allow' })
    const partner = partnerOf(running, made.body.data.shop._id, made.body.data.apiKey)
    expect((await partner.get('/api/external/wallet')).body).toEqual({ balance: 0, held: 0 })
  })

  it('201 and 200 with the shop’s own policy for messages whose outcome stays unknown; null takes the service’s', async () => {
    const body = { name: 'Tiệm Trà', unknownPolicy: 'resend-once' }
    const { shop } = (await manage(running, 'POST', '/shops', body)).body.data
    expect(shop.unknownPolicy).toBe('resend-once')
    const change = await manage(running, 'PATCH', `/shops/${shop._id}`, { unknownPolicy: null })
    expect(change.body.data.shop.unknownPolicy).toBeNull()
    expect((await manage(running, 'POST', '/shops', { name: 'x', unknownPolicy: 'repeat' })).status).toBe(400)
  })

  it('401 without the operator token, and with a shop key', async () => {
    const { apiKey } = await makeShop(running)
    const tries: Record<string, string>[] = [
      {},
      { authorization: 'Bearer wrong' },
      { 'x-api-key': `service-partner ${apiKey}` },
    ]
    for (const headers of tries) {
      const answer = await send(running, 'GET', '/api/manage/v1/shops', undefined, headers)
      expect(answer.status).toBe(401)
      expect(answer.body).toMatchObject({ statusCode: 401, error: 'Unauthorized' })
    }
  })

  it('404 for a shop that does not exist, 500 for a malformed id, on every operation', async () => {
    type Operation = {
      parameters?: { in: string; name: string; required?: boolean; example?: unknown }[]
      requestBody?: { content: { 'application/json': { schema: Schema } } }
    }
    const document = running.app.swagger()
    const paths = document.paths as Record<string, Record<string, Operation>>
    const operations = Object.entries(paths)
      .filter(([path]) => path.startsWith('/api/manage/v1/shops/{id}'))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method, path })))
    expect(operations.length).toBeGreaterThan(10)
    for (const { method, path } of operations) {
      const schema = withoutReferences(
        paths[path]![method]!.requestBody?.content['application/json'].schema,
        document,
      )
      const body = schema === undefined ? undefined : { ...(sampleOf(schema) as object), ...BODIES[path] }
      const required = (paths[path]![method]!.parameters ?? []).filter(
        (one) => one.in === 'query' && one.required,
      )
      const query = new URLSearchParams(
        required.map(({ name, example }): [string, string] => [name, String(example)]),
      )
      const ask = (id: string) =>
        manage(
          running,
          method.toUpperCase() as 'GET',
          `${path.replace('/api/manage/v1', '').replace(/\{[^}]+\}/g, id)}?${query}`,
          body,
        )
      expect([method, path, (await ask(unusedId())).status]).toEqual([method, path, 404])
      expect([method, path, (await ask('x')).status]).toEqual([method, path, 500])
    }
  })
})

describe('G-61 shops', () => {
  it('200 found by words of the name in any order, accents folded, page by page', async () => {
    const mark = unusedId()
    const names = [`Tiệm Bánh Đào ${mark}`, `Đào Tươi ${mark}`, `Phở ${mark}`]
    for (const name of names) await makeShop(running, { name })
    const search = async (words: string, page = 1) => {
      const path = `/shops?search=${encodeURIComponent(words)}&limit=1&page=${page}`
      const { status, body } = await manage(running, 'GET', path)
      expect(status).toBe(200)
      return [body.data[0]?.name, body.meta.hasMore]
    }
    expect(await search(`dao ${mark}`)).toEqual([names[1], true])
    expect(await search(`${mark} DAO`, 2)).toEqual([names[0], false])
    expect(await search(`pho\u031b\u0309 ${mark}`)).toEqual([names[2], false])
    expect(await search(`% ${mark}`)).toEqual([undefined, false])
  })

  it('200 with the settings changed, which the shop’s key notices at once; what is not given is unchanged', async () => {
    const { shopId, apiKey } = await makeShop(running, { name: 'Cũ', language: 'en' })
    const partner = partnerOf(running, shopId, apiKey)
    const missing = () => partner.get(`/api/external/news/${unusedId()}`)
    expect((await missing()).body.message).toBe('The news article does not exist')
    const updated = await manage(running, 'PATCH', `/shops/${shopId}`, { language: 'vi', oversell: 'deny' })
    expect(updated.body.data.shop.lowStockAt).toBe(5)
    expect(updated.status).toBe(200)
    expect(updated.body.data.shop).toMatchObject({ name: 'Cũ', language: 'vi', oversell: 'deny' })
    expect((await manage(running, 'GET', `/shops/${shopId}`)).body).toEqual(updated.body)
    expect((await missing()).body.message).toBe('Không tìm thấy bài viết')
    const renamed = await manage(running, 'PATCH', `/shops/${shopId}`, { name: `  Mới ${shopId} ` })
    expect(renamed.body.data.shop).toMatchObject({
      name: `Mới ${shopId}`,
      oversell: 'deny',
      unknownPolicy: null,
    })
    const resending = await manage(running, 'PATCH', `/shops/${shopId}`, { unknownPolicy: 'resend-once' })
    expect(resending.body.data.shop.unknownPolicy).toBe('resend-once')
    const lower = await manage(running, 'PATCH', `/shops/${shopId}`, { lowStockAt: 0 })
    expect(lower.body.data.shop).toMatchObject({ lowStockAt: 0, oversell: 'deny' })
    const bank = { bin: '970436', number: '0011', holder: 'CHI HOA' }
    const banked = await manage(running, 'PATCH', `/shops/${shopId}`, { bank, taxCode: ' 0312 ' })
    expect(banked.body.data.shop).toMatchObject({ bank, taxCode: '0312', address: '', printPaper: '80' })
    const unbanked = await manage(running, 'PATCH', `/shops/${shopId}`, { bank: null })
    expect(unbanked.body.data.shop).toMatchObject({ bank: null, taxCode: '0312' })
    const found = await manage(running, 'GET', `/shops?search=moi%20${shopId}`)
    expect(found.body.data.map((shop: { _id: string }) => shop._id)).toEqual([shopId])
  })

  it('400 for a blank name, an unknown language or an unknown field, and nothing changes', async () => {
    const { shopId } = await makeShop(running, { name: 'Còn nguyên' })
    for (const [body, key] of [
      [{ name: '  ' }, 'name'],
      [{ language: 'fr' }, 'language'],
      [{ oversell: true }, 'oversell'],
      [{ unknownPolicy: 'keep' }, 'unknownPolicy'],
      [{ lowStockAt: -1 }, 'lowStockAt'],
      [{ lowStockAt: 1_000_001 }, 'lowStockAt'],
      [{ lowStockAt: null }, 'lowStockAt'],
      [{ id: unusedId() }, 'id'],
      [{ printPaper: '90' }, 'printPaper'],
      [{ bank: { bin: '97', number: '1', holder: 'A' } }, 'bank.bin'],
      [{ bank: { bin: '970436', number: '1 2', holder: 'A' } }, 'bank.number'],
      [{ bank: { bin: '970436', number: '12', holder: ' ' } }, 'bank.holder'],
      [{ name: 'x\u0000' }, 'name'],
    ] as const) {
      const answer = await manage(running, 'PATCH', `/shops/${shopId}`, body)
      expect([answer.status, answer.body.validation?.body.keys]).toEqual([400, [key]])
    }
    expect((await manage(running, 'POST', '/shops', { name: ' ' })).status).toBe(400)
    const read = await manage(running, 'GET', `/shops/${shopId}`)
    expect(read.body.data.shop.name).toBe('Còn nguyên')
  })
})

describe('G-61 wallets', () => {
  it('201 for a top-up and a correction either way, 400 below zero, and the balance stays', async () => {
    const { shopId, apiKey } = await makeShop(running)
    const path = `/shops/${shopId}/wallet/entries`
    expect((await manage(running, 'POST', path, { amount: 1000, note: 'nạp' })).body).toEqual({
      data: { balance: 1000, held: 0 },
    })
    expect((await manage(running, 'POST', path, { amount: -1001, note: 'sửa' })).body).toMatchObject({
      statusCode: 400,
      code: 'WALLET_BELOW_ZERO',
    })
    const up = await manage(running, 'POST', path, { type: 'correction', amount: 500, note: 'thiếu' })
    expect(up.body.data.balance).toBe(1500)
    expect((await manage(running, 'POST', path, { amount: -1500, note: 'sửa' })).body.data.balance).toBe(0)
    expect((await manage(running, 'GET', `/shops/${shopId}/wallet`)).body).toEqual({
      data: { balance: 0, held: 0 },
    })
    const entries = await partnerOf(running, shopId, apiKey).get('/api/external/wallet/entries')
    expect(
      entries.body.entries.map((entry: { type: string; amount: number }) => [entry.type, entry.amount]),
    ).toEqual([
      ['correction', -1500],
      ['correction', 500],
      ['top_up', 1000],
    ])
  })

  it('G-10 a top-up repeated with its Idempotency-Key is made once, also when its answer was lost', async () => {
    const { shopId } = await makeShop(running)
    const topUp = (amount: number, key = 'phieu-7', of = shopId) =>
      send(
        running,
        'POST',
        `/api/manage/v1/shops/${of}/wallet/entries`,
        { amount, note: 'nạp' },
        { authorization: `Bearer ${OPERATOR_TOKEN}`, 'idempotency-key': key },
      )
    const first = await topUp(1000)
    expect([first.status, first.body]).toEqual([201, { data: { balance: 1000, held: 0 } }])
    const again = await topUp(1000)
    expect([again.status, again.body, again.headers['idempotency-replayed']]).toEqual([
      201,
      first.body,
      'true',
    ])
    expect(await topUp(2000)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    await loseAnswer(running.deps.db, shopId, 'phieu-7')
    expect(await topUp(1000)).toMatchObject({ status: 201, body: first.body })
    const five = await Promise.all(Array.from({ length: 5 }, () => topUp(5, 'phieu-8')))
    expect(five.every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect((await manage(running, 'GET', `/shops/${shopId}/wallet`)).body.data.balance).toBe(1005)
    expect((await topUp(-9000, 'phieu-9')).status).toBe(400)
    expect((await topUp(1, 'phieu-9')).body.data.balance).toBe(1006)
    expect((await topUp(1, '')).body.validation.headers.keys).toEqual(['idempotency-key'])
    expect((await topUp(1, 'phieu-7', unusedId())).status).toBe(404)
    await checkInvariants(running.deps.db, shopId)
  })

  it('400 for 0, for a top-up below 0 and for amounts that are not whole đồng', async () => {
    const { shopId } = await makeShop(running)
    for (const body of [
      { amount: 0 },
      { amount: -5, type: 'top_up' },
      { amount: 1.5 },
      { amount: '5' },
      { amount: 1e13 },
    ]) {
      const answer = await manage(running, 'POST', `/shops/${shopId}/wallet/entries`, { note: 'x', ...body })
      expect([body, answer.status, answer.body.validation?.body.keys]).toEqual([body, 400, ['amount']])
    }
  })
})

describe('G-61 official accounts and their prices', () => {
  const link = (shopId: string, oaId: string, more: object = {}) =>
    manage(running, 'POST', `/shops/${shopId}/official-accounts`, { oaId, name: 'OA', ...more })

  it('200 listed, changed and unlinked; of credentials only their presence is shown', async () => {
    const { shopId } = await makeShop(running)
    const linked = await link(shopId, 'oa-1', { accessToken: 'bí-mật' })
    expect(linked.body.data).toMatchObject({
      price: null,
      priceUID: null,
      hasAccessToken: true,
      hasSecretKey: false,
    })
    const path = `/shops/${shopId}/official-accounts`
    const changed = await manage(running, 'PATCH', `${path}/${linked.body.data._id}`, {
      name: ' Tiệm ',
      price: 250,
      secretKey: 'khóa',
    })
    expect(changed.body.data).toMatchObject({
      oaId: 'oa-1',
      name: 'Tiệm',
      price: 250,
      priceUID: null,
      hasAccessToken: true,
      hasSecretKey: true,
    })
    expect((await manage(running, 'GET', path)).body.data).toEqual([changed.body.data])
    expect(JSON.stringify(changed.body)).not.toMatch(/bí-mật|khóa/)
    const unlinked = await manage(running, 'DELETE', `${path}/${linked.body.data._id}`)
    expect([unlinked.status, unlinked.body.data.oaId]).toEqual([200, 'oa-1'])
    expect((await manage(running, 'GET', path)).body.data).toEqual([])
    expect((await manage(running, 'DELETE', `${path}/${linked.body.data._id}`)).status).toBe(404)
  })

  it('400 for prices that are not whole đồng from 0', async () => {
    const { shopId } = await makeShop(running)
    const { _id } = (await link(shopId, 'oa-1')).body.data
    for (const price of [-1, 1.5, '200', 1_000_000_001]) {
      const path = `/shops/${shopId}/official-accounts/${_id}`
      const answer = await manage(running, 'PATCH', path, { price })
      expect([price, answer.status, answer.body.validation?.body.keys]).toEqual([price, 400, ['price']])
    }
  })

  it('404 for an account of another shop, which stays as it is', async () => {
    const [own, other] = [await makeShop(running), await makeShop(running)]
    const { _id } = (await link(other.shopId, 'oa-1')).body.data
    const path = `/shops/${own.shopId}/official-accounts/${_id}`
    expect((await manage(running, 'PATCH', path, { name: 'x' })).status).toBe(404)
    expect((await manage(running, 'DELETE', path)).status).toBe(404)
    const listed = await manage(running, 'GET', `/shops/${other.shopId}/official-accounts`)
    expect(listed.body.data[0].name).toBe('OA')
  })

  it('an account’s price is what a message costs where the platform named none, and never replaces the platform’s (G-26)', async () => {
    const partner = await makeShop(running)
    const { shopId } = partner
    const silent = await insertEnabledTemplate(running, shopId, { pricePhone: null })
    const priced = await insertEnabledTemplate(running, shopId, { pricePhone: 200 })
    const send = (templateId: string) =>
      partner.post('/api/external/notify-message/send', {
        templateId,
        receiverPhone: '0912345678',
        params: VALUES,
      })
    const balance = async () => (await partner.get('/api/external/wallet')).body.balance
    await manage(running, 'POST', `/shops/${shopId}/wallet/entries`, { amount: 10_000, note: 'nạp' })
    expect((await send(silent.id)).body.code).toBe('PHONE_NOT_PRICED')
    const path = `/shops/${shopId}/official-accounts`
    const { _id } = (await manage(running, 'GET', path)).body.data[0]
    await manage(running, 'PATCH', `${path}/${_id}`, { price: 300 })
    expect((await send(silent.id)).status).toBe(200)
    expect(await balance()).toBe(9_700)
    expect((await send(priced.id)).status).toBe(200)
    expect(await balance()).toBe(9_500)
    await manage(running, 'PATCH', `${path}/${_id}`, { price: null })
    expect((await send(silent.id)).body.code).toBe('PHONE_NOT_PRICED')
  })

  it('409 OA_IN_USE while messages of a batch wait for the account; 200 once they are cancelled', async () => {
    const partner = await makeShop(running)
    const { shopId } = partner
    const template = await insertEnabledTemplate(running, shopId)
    await manage(running, 'POST', `/shops/${shopId}/wallet/entries`, { amount: 10_000, note: 'nạp' })
    const batch = await partner.post('/api/external/notify-message/batches', {
      templateId: template.id,
      messages: [{ receiverPhone: '0912345678', params: VALUES }],
      scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
    })
    expect(batch.status).toBe(202)
    const path = `/shops/${shopId}/official-accounts`
    const { _id } = (await manage(running, 'GET', path)).body.data[0]
    const refused = await manage(running, 'DELETE', `${path}/${_id}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'OA_IN_USE'])
    const { rows } = await sql<{ id: string }>`
      select id from message_batches where shop_id = ${shopId}`.execute(running.database.db)
    await partner.post(`/api/external/notify-message/batches/${rows[0]!.id}/cancel`)
    expect((await manage(running, 'DELETE', `${path}/${_id}`)).status).toBe(200)
  })
})
