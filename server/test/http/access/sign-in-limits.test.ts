import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Config } from '../../../src/config.ts'
import { makePerson, PASSWORD } from '../../support/members.ts'
import { makeShop, type Service, separateService } from '../../support/service.ts'

type From = { address?: string; headers?: Record<string, string> }

async function tryToSignIn(running: Service, email: string, password: string, from: From = {}) {
  const answer = await running.app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    remoteAddress: from.address ?? '203.0.113.1',
    headers: from.headers ?? {},
    payload: { email, password },
  })
  const cookie = answer.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
  return { status: answer.statusCode, retryAfter: Number(answer.headers['retry-after']), cookie }
}

async function wrongTries(running: Service, email: string, count: number, from: From = {}) {
  const answers = await Promise.all(
    Array.from({ length: count }, () => tryToSignIn(running, email, 'not the password', from)),
  )
  return answers.map(({ status }) => status).sort()
}

describe('wrong passwords', async () => {
  const running = await separateService()

  it('ten for one account block it for that address for a minute at most, also sent at once; the right password gets 429 too', async () => {
    const { email } = await makePerson(running.deps)
    expect(await wrongTries(running, email, 12)).toEqual([...Array(10).fill(401), 429, 429])
    const shut = await tryToSignIn(running, email.toUpperCase(), PASSWORD)
    expect(shut.status).toBe(429)
    expect(shut.retryAfter).toBeGreaterThan(0)
    expect(shut.retryAfter).toBeLessThanOrEqual(60)
  }, 60_000)

  it('a malformed Host or X-Forwarded-Proto changes nothing', async () => {
    const { email } = await makePerson(running.deps)
    for (const host of ['[', 'a b', 'x:99999'])
      expect((await tryToSignIn(running, email, PASSWORD, { headers: { host } })).status).toBe(200)
    const behindProxy = await separateService({ trustProxy: ['203.0.113.1'] })
    const { email: other } = await makePerson(behindProxy.deps)
    const headers = { 'x-forwarded-proto': 'ht tp', 'x-forwarded-host': '[' }
    expect((await tryToSignIn(behindProxy, other, PASSWORD, { headers })).status).toBe(200)
  }, 60_000)

  it('they block neither others at that address nor the account at another', async () => {
    const [victim, colleague] = [await makePerson(running.deps), await makePerson(running.deps)]
    await wrongTries(running, victim.email, 11, { address: '203.0.113.2' })
    expect((await tryToSignIn(running, colleague.email, PASSWORD, { address: '203.0.113.2' })).status).toBe(
      200,
    )
    expect((await tryToSignIn(running, victim.email, PASSWORD, { address: '203.0.113.3' })).status).toBe(200)
  }, 60_000)

  it('a browser that signed in to the account before is not blocked by guesses from the same address', async () => {
    const address = '203.0.113.4'
    const [victim, other] = [await makePerson(running.deps), await makePerson(running.deps)]
    const { cookie } = await tryToSignIn(running, victim.email, PASSWORD, { address })
    const known = cookie.split('; ').find((one) => one.includes('.known.'))!
    await wrongTries(running, victim.email, 11, { address })
    expect((await tryToSignIn(running, victim.email, PASSWORD, { address })).status).toBe(429)
    const own = { address, headers: { cookie: known } }
    expect((await tryToSignIn(running, victim.email, PASSWORD, own)).status).toBe(200)
    // The cookie is not valid for another account, when forged, or for more than ten attempts.
    await wrongTries(running, other.email, 10, { address })
    const renamed = known.replace(/^[^=]+/, 'shopbell.known.0000000000000000')
    for (const forged of [known, renamed, `${known.split('=')[0]}=AAAA.AAAA`]) {
      const headers = { cookie: forged }
      expect((await tryToSignIn(running, other.email, PASSWORD, { address, headers })).status).toBe(429)
    }
    expect(await wrongTries(running, victim.email, 11, own)).toEqual([...Array(10).fill(401), 429])
  }, 60_000)

  it('200 with a cookie of a known browser whose signature has bytes outside ASCII, which proves nothing', async () => {
    const { email } = await makePerson(running.deps)
    const account = createHash('sha256').update(email).digest('hex')
    const cookie = `shopbell.known.${account.slice(0, 16)}=n.${'\xe9'.repeat(43)}`
    const from = { address: '203.0.113.6', headers: { cookie } }
    expect((await tryToSignIn(running, email, PASSWORD, from)).status).toBe(200)
    expect(await wrongTries(running, email, 11, from)).toEqual([...Array(10).fill(401), 429])
  }, 60_000)

  it('right passwords are not counted', async () => {
    const { email } = await makePerson(running.deps)
    for (let n = 0; n < 12; n++)
      expect((await tryToSignIn(running, email, PASSWORD, { address: '203.0.113.5' })).status).toBe(200)
  }, 60_000)

  it('many addresses together get a hundred guesses a minute at one account', async () => {
    const { email } = await makePerson(running.deps)
    const statuses = []
    for (let n = 0; n < 12; n++)
      statuses.push(...(await wrongTries(running, email, 9, { address: `198.51.100.${n}` })))
    expect(statuses.filter((status) => status === 401)).toHaveLength(100)
    expect(statuses.filter((status) => status === 429)).toHaveLength(8)
  }, 90_000)
})

describe('TRUST_PROXY', () => {
  const PROXY = '10.0.0.5'
  const shutByHeader = async (trustProxy: Config['trustProxy'], peer: string) => {
    const running = await separateService({ trustProxy })
    const { email } = await makePerson(running.deps)
    const from = (forwarded: string) => ({ address: peer, headers: { 'x-forwarded-for': forwarded } })
    await wrongTries(running, email, 11, from('198.51.100.1'))
    return (await tryToSignIn(running, email, PASSWORD, from('198.51.100.2'))).status
  }

  it.each([
    ['off: a forged header moves no count to another address', false, PROXY, 429],
    ['by address: people behind the proxy have addresses of their own', ['10.0.0.0/8'], PROXY, 200],
    ['by address: nobody else’s header counts', ['10.0.0.0/8'], '203.0.113.9', 429],
    ['one hop: people behind the proxy have addresses of their own', 1, PROXY, 200],
  ] as const)(
    '%s',
    async (_claim, trustProxy, peer, status) => {
      expect(await shutByHeader(trustProxy as Config['trustProxy'], peer)).toBe(status)
    },
    60_000,
  )

  it('one hop: an address that the caller put before the proxy’s own is not believed', async () => {
    const running = await separateService({ trustProxy: 1 })
    const { email } = await makePerson(running.deps)
    const from = (forged: string) => ({
      address: PROXY,
      headers: { 'x-forwarded-for': `${forged}, 203.0.113.77` },
    })
    await wrongTries(running, email, 11, from('198.51.100.1'))
    expect((await tryToSignIn(running, email, PASSWORD, from('198.51.100.2'))).status).toBe(429)
  }, 60_000)
})

describe('a page of PUBLIC_URL is the console’s own, whatever host the proxy names', async () => {
  const running = await separateService({ publicUrl: 'https://shop.example' })
  const PAGE = { host: '127.0.0.1:3000', origin: 'https://shop.example' }

  it.each([
    ['without', {}],
    ['with', { 'sec-fetch-site': 'same-origin' }],
  ])('signing in, changing and signing out, %s fetch metadata', async (_how, metadata) => {
    const headers = { ...PAGE, ...metadata }
    const { shopId } = await makeShop(running)
    const { email } = await makePerson(running.deps, { shopId })
    const { status, cookie } = await tryToSignIn(running, email, PASSWORD, { headers })
    expect(status).toBe(200)
    const signedIn = { ...headers, cookie, 'x-shop-id': shopId }
    const customer = await running.app.inject({
      method: 'POST',
      url: '/api/external/v1/customers',
      headers: signedIn,
      payload: { fullName: 'Khách' },
    })
    expect(customer.statusCode).toBe(201)
    const again = await tryToSignIn(running, email, PASSWORD, { headers: signedIn })
    expect(again.status).toBe(200)
    const out = await running.app.inject({
      method: 'POST',
      url: '/api/auth/sign-out',
      headers: signedIn,
      payload: {},
    })
    expect(out.statusCode).toBe(200)
  })

  it.each(['https://evil.example', 'https://shop.example.evil.example', 'http://shop.example', 'null'])(
    '403 for a page of %s',
    async (origin) => {
      const { shopId } = await makeShop(running)
      const { email } = await makePerson(running.deps, { shopId })
      const { cookie } = await tryToSignIn(running, email, PASSWORD)
      const answer = await running.app.inject({
        method: 'POST',
        url: '/api/external/v1/customers',
        headers: { ...PAGE, origin, cookie, 'x-shop-id': shopId },
        payload: { fullName: 'Kẻ lạ' },
      })
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'CROSS_SITE_REQUEST'])
      expect((await tryToSignIn(running, email, PASSWORD, { headers: { ...PAGE, origin } })).status).toBe(403)
    },
  )
})
