import { describe, expect, it } from 'vitest'
import { registeredRoutes } from '../../support/api-operations.ts'
import { newProduct, PRODUCTS } from '../../support/products.ts'
import { makeShop, send, service, unusedId, within } from '../../support/service.ts'
import { insertShopRecords } from '../../support/shop-records.ts'
import { insertEnabledTemplate, topUp, VALUES } from '../../support/templates.ts'

/** OWASP API Security Top 10 (2023), what anybody can request: a concrete attack for each item. */
const running = await service()

const ORDERS = '/api/external/v1/orders'
const SEND = '/api/external/notify-message/send'
/** Internal details that no response may show. */
const INSIDE = /node_modules|\.ts:\d+|\bat .+\(|select .+ from|kysely|postgres|pglite|SQLSTATE/i

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

describe('OWASP API8 security misconfiguration', () => {
  it('responses carry the security headers of browsers, name no software, and open nothing to other origins', async () => {
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
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 404, 405])
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
  /** Addresses outside the document: its pages and the document itself, and what only the platform calls. */
  const APART = /^\/(docs|llms\.txt|openapi\.json|hooks)(\/|$)/

  it('every path that responds is in the API document, except a named few; old versions and back doors do not respond', async () => {
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
