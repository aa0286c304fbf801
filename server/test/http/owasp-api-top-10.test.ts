import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { newApiKey } from '../../src/modules/keys/rules.ts'
import { createHttpPlatform } from '../../src/platform/http-adapter.ts'
import { registeredRoutes } from '../support/api-operations.ts'
import { newProduct, PRODUCTS } from '../support/products.ts'
import {
  makeShop,
  manage,
  OPERATOR_TOKEN,
  partnerOf,
  send,
  separateService,
  unusedId,
} from '../support/service.ts'
import { insertShopRecords, snapshotShop } from '../support/shop-records.ts'
import {
  createTemplate,
  makeShopWithOa,
  publish,
  templateBody,
  whenStatus,
} from '../support/template-shop.ts'
import { control, insertEnabledTemplate, topUp, VALUES } from '../support/templates.ts'

/**
 * OWASP API Security Top 10 (2023): a concrete attack on each. Failures are counted by address, images fetched and
 * platform calls given up soon, so the service is its own.
 */
const running = await separateService({ platformImages: 'upload' }, { platformTimeoutMs: 1_500 })

const ORDERS = '/api/external/v1/orders'
const POS = '/api/external/order/pos/create'
const SEND = '/api/external/notify-message/send'
/** What no answer may show of our inside. */
const INSIDE = /node_modules|\.ts:\d+|\bat .+\(|select .+ from|kysely|postgres|pglite|SQLSTATE/i

async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const answer = await work()
  expect(performance.now() - start).toBeLessThan(ms)
  return answer
}

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
  it('keys guessed from one address hear 401 twenty times a minute and then 429, all 401 alike, and no header moves the count to another address', async () => {
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

  it('a key in the address, the query or a cookie is none', async () => {
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
    // `send` and `manage` hold every answer to its closed schema.
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

describe('OWASP API4 unrestricted resource consumption', () => {
  it('pages, depths, sizes and counts without measure are refused at once', async () => {
    const shop = await makeShop(running)
    for (const query of ['limit=1000000000', 'limit=51', 'page=99999999999999999999', 'limit=-1']) {
      expect([query, (await shop.get(`${PRODUCTS}?${query}`)).status]).toEqual([query, 400])
    }
    const deep = `{"name":${'['.repeat(200_000)}${']'.repeat(200_000)},"price":1}`
    expect((await within(2_000, () => shop.post(PRODUCTS, deep))).status).toBe(400)
    const large = JSON.stringify(newProduct({ description: 'a'.repeat(10 * 1024 * 1024) }))
    expect((await within(2_000, () => shop.post(PRODUCTS, large))).status).toBe(413)
    const messages = Array.from({ length: 1_001 }, () => ({ receiverPhone: '0912345678', params: {} }))
    const batch = { templateId: unusedId(), messages }
    expect((await within(2_000, () => shop.post('/api/external/notify-message/batches', batch))).status).toBe(
      400,
    )
  })

  it('searches and patterns made to take long do not', async () => {
    const shop = await makeShop(running)
    await insertShopRecords(running, shop.shopId)
    const words = ['%'.repeat(200), '_%'.repeat(100), 'a '.repeat(100), '(a+)+$'.repeat(30), '\\'.repeat(99)]
    for (const word of words) {
      for (const path of [PRODUCTS, ORDERS, '/api/external/v1/customers', '/api/external/news']) {
        const answer = await within(2_000, () => shop.get(`${path}?search=${encodeURIComponent(word)}`))
        expect([word.slice(0, 4), path, [200, 400].includes(answer.status)]).toEqual([
          word.slice(0, 4),
          path,
          true,
        ])
      }
    }
    const email = `${'a'.repeat(150)}@${'a.'.repeat(100)}`
    const made = await within(2_000, () => shop.post('/api/external/v1/customers', { fullName: 'x', email }))
    expect([201, 400]).toContain(made.status)
  })
})

describe('OWASP API5 broken function level authorization', () => {
  it('a shop’s key manages nothing, the operator’s token is no shop’s, a narrow key stays in its part', async () => {
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

describe('OWASP API6 unrestricted access to sensitive business flows', () => {
  it('one-time passwords do not bomb a phone: the sixth in ten minutes is 429, whatever form the number has, and costs nothing', async () => {
    const shop = await makeShop(running)
    const template = await insertEnabledTemplate(running, shop.shopId)
    await topUp(running, shop.shopId, 10_000)
    const forms = [
      '0987654321',
      '84987654321',
      '+84 987 654 321',
      '0987.654.321',
      '0084987654321',
      '(0987) 654-321',
    ]
    const answers = []
    for (const receiverPhone of forms) {
      answers.push(await shop.post(SEND, { templateId: template.id, receiverPhone, params: VALUES }))
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
    expect(answers[5]!.body.code).toBe('RECIPIENT_LIMIT')
    expect((await shop.get('/api/external/wallet')).body).toEqual({ balance: 9_000, held: 0 })
  })
})

describe('OWASP API7 server side request forgery', () => {
  const INWARD = [
    'http://169.254.169.254/latest/meta-data/',
    'http://127.0.0.1:5432/',
    'http://localhost/',
    'http://[::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://10.0.0.1/',
    'http://0.0.0.0/',
  ]

  it.each(INWARD)('a webhook to %s is refused with 400', async (url) => {
    const shop = await makeShop(running)
    const answer = await shop.post('/api/external/webhooks', { url, events: ['*'] })
    expect([answer.status, answer.body.validation?.body.keys]).toEqual([400, ['url']])
  })

  it.each(['file:///etc/passwd', 'gopher://127.0.0.1:6379/_FLUSHALL', 'ftp://example.com/', 'javascript:1'])(
    'neither is %s an address',
    async (url) => {
      const shop = await makeShop(running)
      expect((await shop.post('/api/external/webhooks', { url, events: ['*'] })).status).toBe(400)
    },
  )

  it('a template’s images at such addresses are not fetched: it is rejected, naming the address', async () => {
    const shop = await makeShopWithOa(running)
    for (const logoLight of [INWARD[0]!, INWARD[1]!]) {
      const body = templateBody(shop.oaId, { logoLight, logoDark: logoLight })
      const draft = await createTemplate(shop, body)
      expect((await publish(shop, draft._id)).status).toBe(200)
      const rejected = await whenStatus(shop, draft._id, 'REJECTED', 15_000)
      expect(rejected.rejectReason).toContain(logoLight)
    }
  })
})

describe('OWASP API8 security misconfiguration', () => {
  it('answers carry the headers that browsers are bound by, tell of no software, and open nothing to other origins', async () => {
    const shop = await makeShop(running)
    const origin = { origin: 'https://evil.example' }
    const answers = [
      await shop.get(ORDERS, origin),
      await shop.get(`${ORDERS}/x`, origin),
      await send(running, 'GET', '/nowhere', undefined, origin),
      await send(running, 'OPTIONS', ORDERS, undefined, {
        ...origin,
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': 'x-api-key',
      }),
    ]
    for (const { headers } of answers) {
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['strict-transport-security']).toMatch(/max-age=\d{7,}/)
      expect(headers['x-frame-options']).toMatch(/SAMEORIGIN|DENY/)
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(headers).not.toHaveProperty('server')
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 404, 404])
  })

  it('no answer to nonsense shows a stack, a statement or a path of ours', async () => {
    const shop = await makeShop(running)
    const answers = [
      await shop.get(`${ORDERS}/x`),
      await shop.get(`${PRODUCTS}?search=${encodeURIComponent("'; drop table orders; --")}`),
      await shop.get(`${ORDERS}?startDate=${encodeURIComponent("2020' or '1'='1")}`),
      await shop.post(PRODUCTS, '{"name":'),
      await shop.post(PRODUCTS, newProduct({ name: '\u0000' })),
      await shop.get('/%ff'),
      await send(running, 'TRACE' as 'GET', ORDERS),
      await send(running, 'GET', '/api/external/../../etc/passwd'),
    ]
    for (const { status, body } of answers) {
      expect(status).not.toBe(503)
      expect(JSON.stringify(body)).not.toMatch(INSIDE)
    }
    expect((await shop.get(ORDERS)).status).toBe(200)
  })
})

describe('OWASP API9 improper inventory management', () => {
  /** Beside the document: its pages and itself, and what only the platform calls. */
  const APART = /^\/(docs|openapi\.json|hooks)(\/|$)/

  it('what answers stands in the API document, but for a named few; old versions and back doors do not answer', async () => {
    const documented = new Set(
      Object.entries(running.app.swagger().paths ?? {}).flatMap(([path, methods]) =>
        Object.keys(methods as object).map((method) => `${method} ${path.replace(/\{\w+\}/g, ':')}`),
      ),
    )
    const registered = registeredRoutes(running.app)
    expect(registered.length).toBeGreaterThan(80)
    const unknown = registered.filter(({ method, url }) => {
      const route = `${method.toLowerCase()} ${url.replace(/:\w+/g, ':')}`
      return method !== 'HEAD' && !APART.test(url) && !documented.has(route)
    })
    expect(unknown).toEqual([])
    const { apiKey } = await makeShop(running)
    for (const path of [
      '/api/external/v0/products',
      '/api/external/v2/products',
      '/api/internal/orders',
      '/api/manage/v0/shops',
      '/admin',
      '/debug/pprof',
      '/.env',
      '/.git/config',
      '/graphql',
      '/swagger-ui',
      '/control/messages',
    ]) {
      const headers = { 'x-api-key': `service-partner ${apiKey}` }
      expect([path, (await send(running, 'GET', path, undefined, headers)).status]).toEqual([path, 404])
    }
  })
})

describe('OWASP API10 unsafe consumption of APIs', () => {
  it('a platform that answers garbage, half or late ends in “unknown”: money is held once, nothing is sent again', async () => {
    const shop = await makeShop(running)
    const template = await insertEnabledTemplate(running, shop.shopId)
    await topUp(running, shop.shopId, 10_000)
    const kinds = ['html', 'truncated', 'hang', '5xx']
    for (const [n, kind] of kinds.entries()) {
      await control(running, '/faults', { faults: [{ kind, endpoint: '/message/template', times: 1 }] })
      const body = { templateId: template.id, receiverPhone: `091234567${n}`, params: VALUES }
      const answer = await within(6_000, () => shop.post(SEND, body))
      expect([kind, answer.status]).toEqual([kind, 202])
      expect(JSON.stringify(answer.body)).not.toMatch(/<html|<body/i)
    }
    await control(running, '/faults', { faults: [] })
    const wallet = (await shop.get('/api/external/wallet')).body
    expect(wallet.balance + wallet.held).toBeLessThanOrEqual(10_000)
    expect(wallet.balance).toBe(10_000 - kinds.length * 200)
  })

  it.each([
    ['endless text', (write: (text: string) => boolean) => write('a'.repeat(65_536))],
    ['endless JSON', (write: (text: string) => boolean) => write(`${'{"error":0,"data":['.repeat(2_000)}`)],
  ])('%s is cut off at 4 MB, and its template stays as it is', async (_, more) => {
    const platform = await endlessServer(more)
    const http = createHttpPlatform({
      businessUrl: platform.url,
      openapiUrl: platform.url,
      timeoutMs: 20_000,
      tokens: { current: async () => 't', refresh: async () => undefined },
    })
    const oa = { shopId: unusedId(), oaId: 'oa', accessToken: 't' }
    const listed = await http.listTemplates(oa, { offset: 0, limit: 100 })
    expect(listed).toMatchObject({ kind: 'unknown', cause: 'AnswerTooLarge', surelyNotSent: false })
    const uploaded = await http.uploadImage(oa, Buffer.from('x'), 'image/png')
    expect(uploaded).toMatchObject({ kind: 'unknown', cause: 'AnswerTooLarge' })
    expect(platform.sent()).toBeLessThan(64 * 1024 * 1024)
  })
})

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
})

/** A server whose answers do not end. */
async function endlessServer(more: (write: (text: string) => boolean) => boolean) {
  let sent = 0
  const server = createServer((request, reply) => {
    request.resume()
    reply.writeHead(200, { 'content-type': 'application/json' })
    const write = (text: string) => {
      sent += text.length
      return reply.write(text)
    }
    const pump = () => {
      while (!reply.destroyed && more(write)) {}
    }
    reply.on('drain', pump)
    pump()
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent: () => sent }
}
