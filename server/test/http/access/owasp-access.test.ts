import { describe, expect, it } from 'vitest'
import { newApiKey } from '../../../src/modules/access/keys/rules.ts'
import { newProduct, PRODUCTS } from '../../support/products.ts'
import {
  makeShop,
  manage,
  OPERATOR_TOKEN,
  partnerOf,
  send,
  separateService,
  unusedId,
} from '../../support/service.ts'
import { insertShopRecords, snapshotShop } from '../../support/shop-records.ts'
import { createTemplate, makeShopWithOa, templateBody } from '../../support/template-shop.ts'
import { insertEnabledTemplate, topUp, VALUES } from '../../support/templates.ts'

/**
 * OWASP API Security Top 10 (2023), authorization: a concrete attack for each item. Failures are counted by address, so
 * the file has its own service.
 */
const running = await separateService()

const ORDERS = '/api/external/v1/orders'
const POS = '/api/external/order/pos/create'
const SEND = '/api/external/notify-message/send'

describe('OWASP API1 broken object level authorization', () => {
  it('another shop’s ids, read, changed, deleted or used in a body, answer as ids that nothing has; all of them: isolation.test.ts', async () => {
    const [victim, thief] = [await makeShop(running), await makeShop(running)]
    const ids = await insertShopRecords(running, victim.shopId)
    const before = await snapshotShop(running, victim.shopId)
    const attacks = (of: {
      order: string
      product: string
      sku: string
      customer: string
      article: string
    }) => [
      () => thief.get(`${ORDERS}/${of.order}`),
      () => thief.patch(`${ORDERS}/${of.order}/status`, { status: 'cancelled' }),
      () => thief.patch(`${PRODUCTS}/${of.product}`, { shopId: thief.shopId, price: 1 }),
      () => thief.call('DELETE', `/api/external/news/${of.article}`),
      () => thief.patch(`/api/external/v1/customers/${of.customer}`, { fullName: 'x' }),
      () => thief.post(POS, { orderItems: [{ id: of.sku, quantity: 1 }] }),
    ]
    const none = { order: '', product: '', sku: '', customer: '', article: '' }
    for (const name of Object.keys(none) as (keyof typeof none)[]) none[name] = unusedId()
    const bare = (text: string) => text.replace(/[0-9a-f]{24}/g, 'id')
    const unused = attacks(none)
    for (const [n, attack] of attacks(ids).entries()) {
      const [foreign, missing] = [await attack(), await unused[n]!()]
      expect([n, foreign.status, bare(JSON.stringify(foreign.body))]).toEqual([
        n,
        missing.status,
        bare(JSON.stringify(missing.body)),
      ])
      expect([404, 400]).toContain(foreign.status)
    }
    expect(await snapshotShop(running, victim.shopId)).toEqual(before)
  })
})

describe('OWASP API2 broken authentication', () => {
  it('401 for the first 20 wrong keys a minute from one address, all the same, then 429, and no header moves the count to another address', async () => {
    const { apiKey } = await makeShop(running)
    const guess = (key: string, headers: Record<string, string> = {}) =>
      running.app.inject({
        url: ORDERS,
        remoteAddress: '203.0.113.7',
        headers: { 'x-api-key': `service-partner ${key}`, ...headers },
      })
    const near = [apiKey.slice(0, -1), `${apiKey}0`, apiKey.toUpperCase(), apiKey.replace('live', 'test')]
    const keys = [...near, ...Array.from({ length: 20 }, newApiKey)]
    const answers = []
    for (const [n, key] of keys.entries())
      answers.push(await guess(key, { 'x-forwarded-for': `198.51.100.${n}` }))
    expect(answers.map((answer) => answer.statusCode)).toEqual([
      ...Array(20).fill(401),
      ...Array(4).fill(429),
    ])
    expect(new Set(answers.slice(0, 20).map((answer) => answer.body)).size).toBe(1)
    expect((await guess(apiKey)).statusCode).toBe(200)
  })

  it('a key in the address, the query or a cookie is ignored', async () => {
    const { apiKey } = await makeShop(running)
    const value = `service-partner ${apiKey}`
    const tries = [
      { url: `${ORDERS}?x-api-key=${encodeURIComponent(value)}`, headers: {} },
      { url: ORDERS, headers: { cookie: `x-api-key=${value}` } },
      { url: ORDERS, headers: { authorization: `Bearer ${apiKey}` } },
    ]
    for (const one of tries) {
      const answer = await running.app.inject({ ...one, remoteAddress: '203.0.113.8' })
      expect([one.url, answer.statusCode]).toEqual([one.url, 401])
    }
  })
})

describe('OWASP API3 broken object property level authorization', () => {
  it('fields that are not the caller’s to set are refused, or ignored where the contract says so', async () => {
    const [shop, other] = [await makeShop(running), await makeShop(running)]
    for (const field of [
      'stock_quantity',
      '_id',
      'totalRating',
      'virtualSold',
      'slug',
      '__v',
      'createdAt',
      'isActive',
    ]) {
      const answer = await shop.post(PRODUCTS, newProduct({ [field]: 1 }))
      expect([field, answer.status, answer.body.validation?.body.keys]).toEqual([field, 400, [field]])
    }
    const made = await shop.post(PRODUCTS, newProduct({ shopId: other.shopId }))
    expect([made.status, made.body.data.shopId]).toEqual([200, shop.shopId])
    const line = { id: made.body.data.skus[0].id, quantity: 1 }
    for (const field of ['status', 'code', 'untaxedPrice', 'createdAt', 'customerId', 'invoiceStatus']) {
      const answer = await shop.post(POS, { orderItems: [line], [field]: 'completed' })
      expect([field, answer.status]).toEqual([field, 400])
    }
    const cheap = await shop.post(POS, { orderItems: [line], total: 1 })
    expect([cheap.status, cheap.body.code]).toEqual([400, 'TOTAL_MISMATCH'])
    for (const field of ['fee', 'price', 'state', 'platformTemplateId', 'shopId_']) {
      const body = { templateId: unusedId(), receiverPhone: '0912345678', params: {}, [field]: 0 }
      expect([field, (await shop.post(SEND, body)).status]).toEqual([field, 400])
    }
    const withOa = await makeShopWithOa(running)
    const template = await createTemplate(withOa, { ...templateBody(withOa.oaId), status: 'ENABLE' })
    expect(template.status).toBe('DRAFT')
  })

  it('prototype fields are data or refused, and change no one else’s answer', async () => {
    const shop = await makeShop(running)
    const polluted = '{"name":"x","price":1,"__proto__":{"isAdmin":true},"constructor":{"prototype":{"y":1}}}'
    expect((await shop.post(PRODUCTS, polluted)).status).toBe(400)
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })

  it('what the API does not document does not leave it: no hash, seal or token of a key, an account or a message', async () => {
    const partner = await makeShop(running)
    const template = await insertEnabledTemplate(running, partner.shopId)
    await topUp(running, partner.shopId, 1_000)
    await partner.post(SEND, { templateId: template.id, receiverPhone: '0912345678', params: VALUES })
    const account = {
      oaId: template.oaId,
      name: 'OA',
      accessToken: 'token-of-the-account',
      secretKey: 'its-secret',
    }
    // `send` and `manage` check every response against its closed schema.
    const answers = [
      await manage(running, 'POST', `/shops/${partner.shopId}/official-accounts`, account),
      await manage(running, 'GET', `/shops/${partner.shopId}/official-accounts`),
      await manage(running, 'GET', `/shops/${partner.shopId}/keys`),
      await manage(running, 'GET', `/shops/${partner.shopId}/audit`),
      await partner.get('/api/external/notify-message/history'),
      await partner.get('/api/external/official-accounts'),
    ]
    const text = JSON.stringify(answers.map(({ body }) => body))
    expect(text).not.toMatch(/token-of-the-account|its-secret|"hash"|access_token|lease|webhook_secret/)
    expect(text).not.toContain(partner.apiKey.slice(-20))
  })
})

describe('OWASP API5 broken function level authorization', () => {
  it('a shop’s key manages nothing, the operator’s token is not a shop’s key, a narrow key stays in its part', async () => {
    const { shopId, apiKey } = await makeShop(running)
    const paths = running.app.swagger().paths as Record<string, Record<string, object>>
    const managing = Object.entries(paths)
      .filter(([path]) => path.startsWith('/api/manage/'))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => [method.toUpperCase() as 'GET', path] as const),
      )
    expect(managing.length).toBeGreaterThan(15)
    for (const [n, [method, path]] of managing.entries()) {
      for (const headers of [
        { 'x-api-key': `service-partner ${apiKey}` },
        { authorization: `Bearer ${apiKey}` },
      ] as Record<string, string>[]) {
        const url = path.replace(/\{[^}]+\}/g, shopId)
        const answer = await running.app.inject({ method, url, headers, remoteAddress: `198.51.100.${n}` })
        expect([method, path, answer.statusCode]).toEqual([method, path, 401])
      }
    }
    const operator = {
      authorization: `Bearer ${OPERATOR_TOKEN}`,
      'x-api-key': `service-partner ${OPERATOR_TOKEN}`,
    }
    expect((await send(running, 'GET', ORDERS, undefined, operator)).status).toBe(401)
    const narrow = await manage(running, 'POST', `/shops/${shopId}/keys`, { name: 'x', scopes: ['read'] })
    const reader = partnerOf(running, shopId, narrow.body.data.apiKey)
    const refused = await reader.post(PRODUCTS, newProduct())
    expect([refused.status, refused.body.code]).toEqual([403, 'SCOPE_MISSING'])
  })

  it('another method by a header or a field is not taken for it', async () => {
    const shop = await makeShop(running)
    const { article } = await insertShopRecords(running, shop.shopId)
    const asked = await shop.get(`/api/external/news/${article}?_method=DELETE`, {
      'x-http-method-override': 'DELETE',
    })
    expect(asked.status).toBe(200)
    expect((await shop.get(`/api/external/news/${article}`)).status).toBe(200)
  })
})
