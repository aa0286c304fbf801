import { afterEach, describe, expect, it, vi } from 'vitest'
import { SCOPES, type Scope } from '../../../src/modules/access/keys/rules.ts'
import { apiOperations, sampleOf } from '../../support/api-operations.ts'
import { eventually, makeShop, manage, partnerOf, send, service, unusedId } from '../../support/service.ts'

const running = await service()
const PATH = '/api/external/news'

type Issued = { id: string; apiKey: string }

async function issue(shopId: string, more: object = {}): Promise<Issued> {
  const made = await manage(running, 'POST', `/shops/${shopId}/keys`, { name: 'Máy bán hàng', ...more })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return { id: made.body.data.key._id, apiKey: made.body.data.apiKey }
}

const statusWith = async (apiKey: string, url = PATH) =>
  (await send(running, 'GET', url, undefined, { 'x-api-key': `service-partner ${apiKey}` })).status

afterEach(() => {
  vi.restoreAllMocks()
})

describe('G-60 keys are made and read', () => {
  it('201 with all scopes unless some are named, each once; the text of the key is shown then only', async () => {
    const { shopId } = await makeShop(running)
    const all = await manage(running, 'POST', `/shops/${shopId}/keys`, { name: 'ERP' })
    expect(all.status).toBe(201)
    expect(all.body.data.key).toMatchObject({ name: 'ERP', scopes: SCOPES, expiresAt: null, revokedAt: null })
    const some = await issue(shopId, { scopes: ['wallet', 'read', 'wallet'] })
    const read = await manage(running, 'GET', `/shops/${shopId}/keys/${some.id}`)
    expect(read.body.data.key.scopes).toEqual(['read', 'wallet'])
    const listed = await manage(running, 'GET', `/shops/${shopId}/keys`)
    expect(listed.body.data.map((key: { _id: string }) => key._id).slice(0, 2)).toEqual([
      some.id,
      all.body.data.key._id,
    ])
    for (const { apiKey } of [some, all.body.data]) {
      expect(JSON.stringify([read.body, listed.body])).not.toContain(apiKey.slice('sb_live_'.length + 4))
    }
  })

  it('200 page by page, newest first, telling whether more follow', async () => {
    const { shopId } = await makeShop(running)
    for (const name of ['hai', 'ba']) await issue(shopId, { name })
    const pages = await Promise.all(
      [1, 2].map((page) => manage(running, 'GET', `/shops/${shopId}/keys?limit=2&page=${page}`)),
    )
    expect(pages.map(({ body }) => body.data.map((key: { name: string }) => key.name))).toEqual([
      ['ba', 'hai'],
      ['First key'],
    ])
    expect(pages.map(({ body }) => body.meta)).toEqual([
      { page: 1, limit: 2, hasMore: true },
      { page: 2, limit: 2, hasMore: false },
    ])
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'x', scopes: [] }, 'scopes'],
    [{ name: 'x', scopes: ['admin'] }, 'scopes.0'],
    [{ name: 'x', scopes: 'read' }, 'scopes'],
    [{ name: 'x', expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ name: 'x', expiresAt: '2020-01-01' }, 'expiresAt'],
    [{ name: 'x', hash: 'x' }, 'hash'],
  ])('400 for %j, naming %s', async (body, key) => {
    const { shopId } = await makeShop(running)
    const answer = await manage(running, 'POST', `/shops/${shopId}/keys`, body)
    expect([answer.status, answer.body.validation?.body.keys]).toEqual([400, [key]])
  })

  it('404 for a key of another shop, to read, rotate or revoke, which stays as it is', async () => {
    const [own, other] = [await makeShop(running), await makeShop(running)]
    const key = await issue(other.shopId)
    for (const id of [key.id, unusedId()]) {
      const path = `/shops/${own.shopId}/keys/${id}`
      const answers = [
        await manage(running, 'GET', path),
        await manage(running, 'POST', `${path}/rotate`, { overlapSeconds: 0 }),
        await manage(running, 'DELETE', path),
      ]
      for (const answer of answers) {
        expect([answer.status, answer.body.message]).toEqual([404, 'The API key does not exist'])
      }
    }
    expect(await statusWith(key.apiKey)).toBe(200)
  })

  it('500 for a malformed id (G-04), 404 for a shop that does not exist', async () => {
    const { shopId } = await makeShop(running)
    expect((await manage(running, 'GET', `/shops/${shopId}/keys/x`)).status).toBe(500)
    expect((await manage(running, 'GET', `/shops/${unusedId()}/keys`)).status).toBe(404)
  })
})

describe('G-60 rotation', () => {
  const rotate = (shopId: string, id: string, body: object) =>
    manage(running, 'POST', `/shops/${shopId}/keys/${id}/rotate`, body)

  it('201 with a new key of the same name and scopes; both work for the overlap, then only the new one', async () => {
    const { shopId } = await makeShop(running)
    const old = await issue(shopId, { name: 'ERP', scopes: ['read', 'content'] })
    expect(await statusWith(old.apiKey)).toBe(200)
    const start = running.deps.clock.now().getTime()
    const rotated = await rotate(shopId, old.id, { overlapSeconds: 3600 })
    expect(rotated.status).toBe(201)
    const { key, apiKey } = rotated.body.data
    expect(key).toMatchObject({ name: 'ERP', scopes: ['read', 'content'], expiresAt: null })
    expect(key._id).not.toBe(old.id)
    expect([await statusWith(old.apiKey), await statusWith(apiKey)]).toEqual([200, 200])
    const before = await manage(running, 'GET', `/shops/${shopId}/keys/${old.id}`)
    const end = Date.parse(before.body.data.key.expiresAt)
    expect(end - start).toBeGreaterThanOrEqual(3_600_000)
    expect(end - start).toBeLessThan(3_610_000)
    clockAt(end)
    expect([await statusWith(old.apiKey), await statusWith(apiKey)]).toEqual([401, 200])
  })

  it('no overlap ends the old key at once', async () => {
    const { shopId, apiKey } = await makeShop(running)
    const listed = await manage(running, 'GET', `/shops/${shopId}/keys`)
    expect(await statusWith(apiKey)).toBe(200)
    const rotated = await rotate(shopId, listed.body.data[0]._id, { overlapSeconds: 0 })
    expect([await statusWith(apiKey), await statusWith(rotated.body.data.apiKey)]).toEqual([401, 200])
  })

  it('the overlap never outlives the old key’s own end, which the new key inherits unless given another', async () => {
    const { shopId } = await makeShop(running)
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    const later = new Date(Date.now() + 3_600_000).toISOString()
    const old = await issue(shopId, { expiresAt })
    const same = await rotate(shopId, old.id, { overlapSeconds: 3600 })
    expect(same.body.data.key.expiresAt).toBe(expiresAt)
    const longer = await rotate(shopId, old.id, { overlapSeconds: 3600, expiresAt: later })
    expect(longer.body.data.key.expiresAt).toBe(later)
    const read = await manage(running, 'GET', `/shops/${shopId}/keys/${old.id}`)
    expect(read.body.data.key.expiresAt).toBe(expiresAt)
  })

  it('rotated again during its overlap, it passes on the end that it was issued with, not that of the overlap', async () => {
    const { shopId } = await makeShop(running)
    const endless = await issue(shopId, {})
    await rotate(shopId, endless.id, { overlapSeconds: 60 })
    const again = await rotate(shopId, endless.id, { overlapSeconds: 60 })
    expect([again.status, again.body.data.key.expiresAt]).toEqual([201, null])
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const ending = await issue(shopId, { expiresAt })
    await rotate(shopId, ending.id, { overlapSeconds: 60 })
    expect((await rotate(shopId, ending.id, { overlapSeconds: 60 })).body.data.key.expiresAt).toBe(expiresAt)
  })

  it('400 for an overlap below 0, over 7 days, broken or missing', async () => {
    const { shopId } = await makeShop(running)
    const { id } = await issue(shopId)
    for (const overlapSeconds of [-1, 604_801, 1.5, '60', null, undefined]) {
      const answer = await rotate(shopId, id, { overlapSeconds })
      expect([overlapSeconds, answer.status, answer.body.validation?.body.keys]).toEqual([
        overlapSeconds,
        400,
        ['overlapSeconds'],
      ])
    }
    expect((await rotate(shopId, id, { overlapSeconds: 604_800 })).status).toBe(201)
  })

  it('409 KEY_ENDED for a revoked or expired key, and no key is made', async () => {
    const { shopId } = await makeShop(running)
    const revoked = await issue(shopId)
    await manage(running, 'DELETE', `/shops/${shopId}/keys/${revoked.id}`)
    const rotated = await issue(shopId)
    await rotate(shopId, rotated.id, { overlapSeconds: 0 })
    const count = async () => (await manage(running, 'GET', `/shops/${shopId}/keys`)).body.data.length
    const before = await count()
    for (const { id } of [revoked, rotated]) {
      const answer = await rotate(shopId, id, { overlapSeconds: 60 })
      expect([answer.status, answer.body.code]).toEqual([409, 'KEY_ENDED'])
    }
    expect(await count()).toBe(before)
  })

  it('a key rotated ten times at once ends once and leaves ten that work', async () => {
    const { shopId } = await makeShop(running)
    const { id } = await issue(shopId)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => rotate(shopId, id, { overlapSeconds: 600 })),
    )
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(201))
    const statuses = await Promise.all(answers.map((answer) => statusWith(answer.body.data.apiKey)))
    expect(statuses).toEqual(Array(10).fill(200))
  })
})

describe('G-60 scopes', () => {
  /** The scopes of each operation, from the API document. */
  function documented(): Map<string, Scope[][]> {
    const paths = running.app.swagger().paths as Record<string, Record<string, { security: object[] }>>
    const entries = Object.entries(paths)
      .filter(([path]) => path.startsWith('/api/external/'))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { security }]): [string, Scope[][]] => [
          `${method.toUpperCase()} ${path}`,
          security.map((one) => (one as { shopKey: Scope[] }).shopKey),
        ]),
      )
    return new Map(entries)
  }

  it('every operation of the API document names its scopes: read or its group’s for a GET, its group’s else; a till may read goods', () => {
    const all = documented()
    expect(all.size).toBeGreaterThan(30)
    for (const [name, sets] of all) {
      // Operations that cover several groups, each record with its own scope (G-66, G-67).
      if (/ \/api\/external\/(changes|exports)/.test(name)) {
        expect([name, sets]).toEqual([name, [['catalogue'], ['orders'], ['content'], ['read']]])
        continue
      }
      const isOfGoods = /^GET \/api\/external\/v1\/(products|categories|warehouses)/.test(name)
      expect([name, sets.length]).toEqual([name, isOfGoods ? 3 : name.startsWith('GET ') ? 2 : 1])
      expect([name, isOfGoods && sets[1]!]).toEqual([name, isOfGoods && ['orders']])
      expect([name, sets.flat().every((scope) => SCOPES.includes(scope))]).toEqual([name, true])
      expect([name, sets[0]!.includes('read') && sets[0]!.length === 1]).toEqual([
        name,
        name.startsWith('GET '),
      ])
    }
    expect(all.get('POST /api/external/order/pos/create')).toEqual([['orders']])
    expect(all.get('GET /api/external/v1/products')).toEqual([['read'], ['orders'], ['catalogue']])
    expect(all.get('GET /api/external/v1/inventory/costs')).toEqual([['read'], ['catalogue']])
    expect(all.get('PUT /api/external/news/{id}')).toEqual([['content']])
    expect(all.get('POST /api/external/notify-message/send')).toEqual([['messages']])
    expect(all.get('GET /api/external/wallet')).toEqual([['read'], ['wallet']])
  })

  /** A type that a key with the scope may export (G-67). */
  const EXPORTED: Partial<Record<Scope, string>> = {
    read: 'order',
    catalogue: 'product',
    orders: 'order',
    content: 'news',
  }

  it('a key with one scope is let in where that suffices and refused with 403 everywhere else, before its body is read', async () => {
    const { shopId } = await makeShop(running)
    const sets = documented()
    for (const scope of SCOPES) {
      const { apiKey } = await issue(shopId, { scopes: [scope] })
      const partner = partnerOf(running, shopId, apiKey)
      for (const operation of apiOperations(running.app)) {
        const suffices = sets.get(operation.name)!.some((set) => set.every((one) => one === scope))
        const path = operation.path.replace(/\{[^}]+\}/g, 'not-an-id')
        const sample = suffices && operation.body ? sampleOf(operation.body) : undefined
        const body = operation.name.endsWith('/exports') ? { type: EXPORTED[scope] } : sample
        const answer = await partner.call(operation.method, path, body)
        const expected = [scope, operation.name, !suffices]
        expect([scope, operation.name, answer.status === 403]).toEqual(expected)
        if (!suffices) expect(answer.body.code).toBe('SCOPE_MISSING')
      }
    }
  }, 120_000)

  it('the refusal is in the shape of G-02, names the scope, follows the language and counts to the budget', async () => {
    const { shopId } = await makeShop(running)
    const { apiKey } = await issue(shopId, { scopes: ['read', 'catalogue'] })
    const partner = partnerOf(running, shopId, apiKey)
    const refused = await partner.post('/api/external/order/pos/create', {})
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        statusCode: 403,
        error: 'Forbidden',
        message: 'This key or role lacks the scope orders. Use one that has it',
        code: 'SCOPE_MISSING',
      },
    ])
    expect(refused.headers.ratelimit).toMatch(/^"shop";r=/)
    const vietnamese = await partner.post(PATH, {}, { 'accept-language': 'vi' })
    expect(vietnamese.body.message).toMatch(/thiếu quyền content/)
  })

  it('a refused request leaves its Idempotency-Key free for a key that may', async () => {
    const { shopId, apiKey } = await makeShop(running)
    const { apiKey: reading } = await issue(shopId, { scopes: ['read'] })
    const header = { 'idempotency-key': unusedId() }
    const article = { title: 'Tin', content: '<p>Tin</p>' }
    expect((await partnerOf(running, shopId, reading).post(PATH, article, header)).status).toBe(403)
    expect((await partnerOf(running, shopId, apiKey).post(PATH, article, header)).status).toBe(201)
  })
})

describe('G-60 last use', () => {
  it('is shown by list and read', async () => {
    const { shopId } = await makeShop(running)
    const { id, apiKey } = await issue(shopId)
    await statusWith(apiKey)
    const used = await eventually(async () => {
      const read = await manage(running, 'GET', `/shops/${shopId}/keys/${id}`)
      return read.body.data.key.lastUsedAt ?? undefined
    })
    const listed = await manage(running, 'GET', `/shops/${shopId}/keys`)
    expect(listed.body.data[0].lastUsedAt).toBe(used)
  })
})

/**
 * Stops the service's clock at this moment. On PostgreSQL it follows the database's clock, which does not follow the
 * process's.
 */
function clockAt(ms: number): void {
  vi.spyOn(running.deps.clock, 'now').mockImplementation(() => new Date(ms))
}
