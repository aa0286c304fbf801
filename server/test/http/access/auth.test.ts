import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isKeyWellFormed, newApiKey } from '../../../src/modules/access/keys/rules.ts'
import {
  eventually,
  makeShop,
  manage,
  OPERATOR_TOKEN,
  send,
  separateService,
  unusedId,
} from '../../support/service.ts'

// Failures are counted by address: a separate service keeps them apart from other files' calls.
const running = await separateService({ ratePerMinute: 100 })
const PATH = '/api/external/news'
const REFUSED = {
  statusCode: 401,
  error: 'Unauthorized',
  message: 'Send a valid API key in the header x-api-key: "service-partner <API_KEY>"',
}

let addresses = 0
const freshAddress = () => `10.0.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`

/** A call from `address` with the header unchanged. */
async function call(header: string | undefined, address = freshAddress(), url = PATH) {
  const answer = await running.app.inject({
    url,
    remoteAddress: address,
    headers: header === undefined ? {} : { 'x-api-key': header },
  })
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
}

const withKey = (key: string, address?: string) => call(`service-partner ${key}`, address)

async function issueKey(shopId: string, expiresAt?: string) {
  const made = await manage(running, 'POST', `/shops/${shopId}/keys`, {
    name: 'Máy bán hàng',
    ...(expiresAt === undefined ? {} : { expiresAt }),
  })
  return { id: made.body.data.key.id as string, apiKey: made.body.data.apiKey as string }
}

async function lastUse(shopId: string): Promise<Date | null> {
  const { rows } = await sql<{ last_used_at: Date | null }>`
    select last_used_at from api_keys where shop_id = ${shopId}`.execute(running.database.db)
  return rows[0]!.last_used_at
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('G-06 authentication', () => {
  it('200 with exactly the word, one space and the key', async () => {
    const { apiKey } = await makeShop(running)
    expect((await withKey(apiKey)).status).toBe(200)
  })

  it('401 with one and the same body for every cause (G-02)', async () => {
    const { shopId, apiKey } = await makeShop(running)
    const revoked = await issueKey(shopId)
    await manage(running, 'DELETE', `/shops/${shopId}/keys/${revoked.id}`)
    const expired = await issueKey(shopId)
    await sql`
      update api_keys set expires_at = now() - interval '1 second'
      where shop_id = ${shopId} and id = ${expired.id}`.execute(running.database.db)
    const headers: Record<string, string | undefined> = {
      missing: undefined,
      empty: '',
      'the key alone': apiKey,
      'another word': `partner ${apiKey}`,
      'the word in capitals': `Service-Partner ${apiKey}`,
      'a bearer token': `Bearer ${apiKey}`,
      'two spaces': `service-partner  ${apiKey}`,
      'a tab': `service-partner\t${apiKey}`,
      'no space': `service-partner${apiKey}`,
      'something after the key': `service-partner ${apiKey} x`,
      'the key twice': `service-partner ${apiKey}, service-partner ${apiKey}`,
      'no key': 'service-partner ',
      'an unknown key': `service-partner ${newApiKey()}`,
      'a key with another last character': `service-partner ${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`,
      'no key of ours': "service-partner ' or 1=1 --",
      'a very long one': `service-partner ${'a'.repeat(8000)}`,
      'a revoked key': `service-partner ${revoked.apiKey}`,
      'an expired key': `service-partner ${expired.apiKey}`,
    }
    for (const [cause, header] of Object.entries(headers)) {
      const answer = await call(header)
      expect([cause, answer.status, answer.body]).toEqual([cause, 401, REFUSED])
    }
  })

  it('401 on every operation of the API, before its body or ids are looked at', async () => {
    const paths = running.app.swagger().paths as Record<string, Record<string, unknown>>
    const operations = Object.entries(paths)
      .filter(([path]) => path.startsWith('/api/external/'))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method })))
    expect(operations.length).toBeGreaterThan(5)
    for (const { path, method } of operations) {
      const answer = await running.app.inject({
        method: method.toUpperCase() as 'GET',
        url: path.replace(/\{[^}]+\}/g, 'not-an-id'),
        remoteAddress: freshAddress(),
      })
      expect([method, path, answer.statusCode, answer.json()]).toEqual([method, path, 401, REFUSED])
    }
  })

  it('G-05 the text follows Accept-Language', async () => {
    const answer = await running.app.inject({
      url: PATH,
      headers: { 'accept-language': 'vi' },
      remoteAddress: freshAddress(),
    })
    expect(answer.json().message).toMatch(/^Cần khóa API hợp lệ/)
  })

  it('429 after 20 failures a minute from one address; a valid key from it still works, and other addresses', async () => {
    const { apiKey } = await makeShop(running)
    const address = freshAddress()
    for (let i = 0; i < 20; i++) expect((await withKey(newApiKey(), address)).status).toBe(401)
    const limited = await withKey(newApiKey(), address)
    expect(limited.status).toBe(429)
    expect(Object.keys(limited.body)).toEqual(['error'])
    expect(limited.body.error).toContain('20 per minute')
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(limited.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await withKey(apiKey, address)).status).toBe(200)
    expect((await withKey(newApiKey(), freshAddress())).status).toBe(401)
  })

  it('the operator’s token likewise: 429 after 20 failures, and the valid one still works (G-61)', async () => {
    const remoteAddress = freshAddress()
    const call = (token: string) =>
      running.app.inject({
        url: '/api/manage/v1/shops',
        remoteAddress,
        headers: { authorization: `Bearer ${token}` },
      })
    for (let i = 0; i < 20; i++) expect((await call(`guess ${i}`)).statusCode).toBe(401)
    const limited = await call('guess 20')
    expect([limited.statusCode, Object.keys(limited.json())]).toEqual([429, ['error']])
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expect((await call(OPERATOR_TOKEN)).statusCode).toBe(200)
  })

  it('a failure is not charged to the shop', async () => {
    const { shopId, apiKey } = await makeShop(running)
    const revoked = await issueKey(shopId)
    await manage(running, 'DELETE', `/shops/${shopId}/keys/${revoked.id}`)
    const failed = await withKey(revoked.apiKey)
    expect(failed.headers).not.toHaveProperty('ratelimit')
    expect((await withKey(apiKey)).headers.ratelimit).toMatch(/^"shop";r=99;t=\d+$/)
  })
})

describe('G-07 rate limit', () => {
  it('each response names the budget; the 101st in a minute is 429 naming the limit, with Retry-After', async () => {
    const { apiKey } = await makeShop(running)
    for (let left = 99; left >= 0; left--) {
      const answer = await withKey(apiKey)
      expect(answer.status).toBe(200)
      expect(answer.headers['ratelimit-policy']).toBe('"shop";q=100;w=60')
      expect(answer.headers.ratelimit).toMatch(new RegExp(`^"shop";r=${left};t=([1-9]|[1-5]\\d|60)$`))
      expect(answer.headers).not.toHaveProperty('retry-after')
    }
    const spent = await withKey(apiKey)
    expect(spent.status).toBe(429)
    expect(Object.keys(spent.body)).toEqual(['error'])
    expect(spent.body.error).toContain('100 requests per minute')
    expect(spent.headers.ratelimit).toMatch(/^"shop";r=0;t=\d+$/)
    expect(Number(spent.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(spent.headers['retry-after'])).toBeLessThanOrEqual(60)
  })

  it('the budget is one for all keys and operations of a shop, whatever the answer, and no other shop pays', async () => {
    const { shopId, apiKey } = await makeShop(running)
    const other = await makeShop(running)
    const second = await issueKey(shopId)
    const header = { 'x-api-key': `service-partner ${apiKey}` }
    const answers = [
      await send(running, 'GET', `${PATH}?page=0`, undefined, header),
      await send(running, 'GET', `${PATH}/${unusedId()}`, undefined, header),
      await send(running, 'GET', `${PATH}/x`, undefined, header),
      await send(running, 'POST', PATH, '{', header),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([400, 404, 500, 400])
    expect((await withKey(second.apiKey)).headers.ratelimit).toMatch(/;r=95;/)
    expect((await withKey(other.apiKey)).headers.ratelimit).toMatch(/;r=99;/)
  })

  it('a key uses no more than its share, which is not counted to the shop beyond it, while other keys go on', async () => {
    const { shopId, apiKey } = await makeShop(running)
    const made = await manage(running, 'POST', `/shops/${shopId}/keys`, { name: 'ERP', maxPerMinute: 3 })
    expect(made.body.data.key.maxPerMinute).toBe(3)
    const erp = () => withKey(made.body.data.apiKey)
    const statuses = (await Promise.all(Array.from({ length: 10 }, erp))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 200, 200, ...Array(7).fill(429)])
    const spent = await erp()
    expect(spent.headers).toMatchObject({
      'ratelimit-policy': '"key";q=3;w=60',
      ratelimit: expect.stringMatching(/^"key";r=0;t=\d+$/),
    })
    expect(Number(spent.headers['retry-after'])).toBeGreaterThan(0)
    expect(spent.body.error).toContain('this key may use 3')
    expect((await withKey(apiKey)).headers.ratelimit).toMatch(/^"shop";r=96;/)
    const path = `/shops/${shopId}/keys/${made.body.data.key._id}`
    expect((await manage(running, 'PATCH', path, { maxPerMinute: 50 })).body.data.key.maxPerMinute).toBe(50)
    const more = await erp()
    expect(more.headers['ratelimit-policy']).toBe('"shop";q=100;w=60, "key";q=50;w=60')
    expect(more.headers.ratelimit).toMatch(/^"shop";r=95;t=\d+, "key";r=49;t=\d+$/)
    const rotated = await manage(running, 'POST', `${path}/rotate`, { overlapSeconds: 60 })
    expect(rotated.body.data.key.maxPerMinute).toBe(50)
    await manage(running, 'PATCH', path, { maxPerMinute: null })
    expect((await erp()).headers['ratelimit-policy']).toBe('"shop";q=100;w=60')
    const { data } = (await manage(running, 'GET', `/shops/${shopId}/audit`)).body
    const noted = data.filter(({ action }: { action: string }) => action === 'key.update')
    expect(noted.map(({ detail }: { detail: object }) => detail)).toEqual([
      { maxPerMinute: [50, null] },
      { maxPerMinute: [3, 50] },
    ])
  })

  it('400 naming maxPerMinute for an invalid share', async () => {
    const { shopId } = await makeShop(running)
    for (const maxPerMinute of [0, 1.5, '3', 1_000_001]) {
      const answer = await manage(running, 'POST', `/shops/${shopId}/keys`, { name: 'ERP', maxPerMinute })
      expect([answer.status, answer.body.validation?.body.keys]).toEqual([400, ['maxPerMinute']])
    }
  })

  it('100 parallel calls spend the budget exactly', async () => {
    const { apiKey } = await makeShop(running)
    const answers = await Promise.all(Array.from({ length: 120 }, () => withKey(apiKey)))
    const statuses = answers.map((answer) => answer.status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(100)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  })
})

describe('G-02 every answer', () => {
  it('carries an x-request-id of ours, another one each time', async () => {
    const { apiKey } = await makeShop(running)
    const header = { 'x-api-key': `service-partner ${apiKey}`, 'x-request-id': 'mine' }
    const answers = [
      await send(running, 'GET', PATH, undefined, header),
      await send(running, 'GET', `${PATH}?page=0`, undefined, header),
      await send(running, 'GET', `${PATH}/${unusedId()}`, undefined, header),
      await send(running, 'GET', `${PATH}/x`, undefined, header),
      await send(running, 'POST', PATH, '{', header),
      await send(running, 'GET', '/nowhere'),
      await call(undefined),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([200, 400, 404, 500, 400, 404, 401])
    const ids = answers.map((answer) => String(answer.headers['x-request-id']))
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{24}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('404 in the contract’s shape for an unknown path, in the caller’s language', async () => {
    const { apiKey } = await makeShop(running)
    const header = { 'x-api-key': `service-partner ${apiKey}` }
    const none = { error: 'Resource not found', message: 'Path not found' }
    for (const [method, url] of [
      ['GET', '/'],
      ['GET', '/api/external/nothing'],
      ['GET', `${PATH}/a/b/c`],
    ] as const) {
      const answer = await send(running, method, url, undefined, header)
      expect([url, answer.status, answer.body]).toEqual([url, 404, none])
    }
    const vietnamese = await send(running, 'GET', '/nowhere', undefined, { 'accept-language': 'vi' })
    expect(vietnamese.body.message).toBe('Không tìm thấy đường dẫn')
  })
})

describe('G-02 a path without the method', () => {
  it.each([
    ['PATCH', PATH, 'GET, HEAD, POST'],
    ['POST', `${PATH}/${unusedId()}?x=1`, 'DELETE, GET, HEAD, PUT'],
    ['GET', '/api/external/order/pos/create', 'POST'],
    ['OPTIONS', '/api/external/v1/products', 'GET, HEAD, POST'],
    ['POST', '/api/external/v1/products/export', 'GET, HEAD'],
    ['DELETE', '/health/live', 'GET, HEAD'],
  ] as const)('405 with those that it has: %s %s', async (method, url, allowed) => {
    const answer = await send(running, method, url)
    expect([answer.status, answer.headers.allow, answer.body]).toEqual([
      405,
      allowed,
      {
        statusCode: 405,
        error: 'Method Not Allowed',
        message: `This path does not have the method ${method}. It has: ${allowed}`,
      },
    ])
  })

  it('in the caller’s language', async () => {
    const { body } = await send(running, 'PATCH', PATH, undefined, { 'accept-language': 'vi' })
    expect(body.message).toBe('Đường dẫn này không có phương thức PATCH. Các phương thức có: GET, HEAD, POST')
  })
})

describe('G-60 keys', () => {
  it('sb_live_, 30 base62 characters and 6 check characters; never the same twice', () => {
    const keys = Array.from({ length: 500 }, newApiKey)
    for (const key of keys) {
      expect(key).toMatch(/^sb_live_[0-9A-Za-z]{36}$/)
      expect(isKeyWellFormed(key)).toBe(true)
    }
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('the check characters find every single wrong character and any swap of neighbours', () => {
    const key = newApiKey()
    const start = 'sb_live_'.length
    for (let i = start; i < key.length; i++) {
      const wrong = key[i] === 'x' ? 'y' : 'x'
      expect(isKeyWellFormed(key.slice(0, i) + wrong + key.slice(i + 1))).toBe(false)
      if (i + 1 < key.length && key[i] !== key[i + 1]) {
        expect(isKeyWellFormed(key.slice(0, i) + key[i + 1] + key[i] + key.slice(i + 2))).toBe(false)
      }
    }
    for (const text of [
      '',
      'sb_live_',
      key.slice(0, -1),
      `${key}0`,
      ` ${key}`,
      key.replace('live', 'test'),
    ]) {
      expect(isKeyWellFormed(text)).toBe(false)
    }
    expect(isKeyWellFormed(`sb_live_${randomBytes(18).toString('hex')}`)).toBe(false)
  })

  it('only the SHA-256 of a key is stored, and no list shows the key again', async () => {
    const { shopId, apiKey } = await makeShop(running)
    const { rows } = await sql<{ hash: Uint8Array; row: object }>`
      select hash, to_jsonb(api_keys) as row from api_keys where shop_id = ${shopId}`.execute(
      running.database.db,
    )
    expect(Buffer.from(rows[0]!.hash)).toEqual(createHash('sha256').update(apiKey).digest())
    expect(JSON.stringify(rows[0]!.row)).not.toContain(apiKey.slice('sb_live_'.length + 4))
  })

  it('two keys work side by side; a revocation is felt at once and leaves the other', async () => {
    const { shopId, apiKey } = await makeShop(running)
    const { id, apiKey: second } = await issueKey(shopId)
    expect([(await withKey(apiKey)).status, (await withKey(second)).status]).toEqual([200, 200])
    const revoked = await manage(running, 'DELETE', `/shops/${shopId}/keys/${id}`)
    expect(revoked.status).toBe(200)
    expect(revoked.body.data.key.revokedAt).not.toBeNull()
    expect([(await withKey(apiKey)).status, (await withKey(second)).status]).toEqual([200, 401])
  })

  it('a key that another process revoked is refused within 5 s', async () => {
    const { shopId, apiKey } = await makeShop(running)
    expect((await withKey(apiKey)).status).toBe(200)
    await sql`update api_keys set revoked_at = now() where shop_id = ${shopId}`.execute(running.database.db)
    clockAt(running.deps.clock.now().getTime() + 5_000)
    expect((await withKey(apiKey)).status).toBe(401)
  })

  it('a key ends at its expiry, also while it is remembered', async () => {
    const { shopId } = await makeShop(running)
    const { apiKey } = await issueKey(shopId, new Date(Date.now() + 2_000).toISOString())
    expect((await withKey(apiKey)).status).toBe(200)
    clockAt(Date.now() + 2_000)
    expect((await withKey(apiKey)).status).toBe(401)
  })

  it('the last use is written, at most once a minute', async () => {
    const { shopId, apiKey } = await makeShop(running)
    expect(await lastUse(shopId)).toBeNull()
    await withKey(apiKey)
    const first = await eventually(() => lastUse(shopId).then((at) => at ?? undefined))
    const start = Date.now()
    for (const seconds of [1, 10, 30, 58]) {
      clockAt(start + seconds * 1000)
      expect((await withKey(apiKey)).status).toBe(200)
    }
    vi.restoreAllMocks()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await lastUse(shopId)).toEqual(first)
    clockAt(first.getTime() + 60_000)
    expect((await withKey(apiKey)).status).toBe(200)
    vi.restoreAllMocks()
    const next = await eventually(async () => {
      const at = await lastUse(shopId)
      return at === null || at.getTime() === first.getTime() ? undefined : at
    })
    expect(next.getTime() - first.getTime()).toBeGreaterThanOrEqual(60_000)
  })
})

/**
 * Stops the service's clock at this moment. On PostgreSQL it follows the database's clock, which does not follow the
 * process's.
 */
function clockAt(ms: number): void {
  vi.spyOn(running.deps.clock, 'now').mockImplementation(() => new Date(ms))
}
