import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpPlatform } from '../../src/platform/chatapp/http-adapter.ts'
import type { TokenPair } from '../../src/platform/chatapp/tokens/token-request.ts'
import { createTokenStore, type StoredTokens } from '../../src/platform/chatapp/tokens/token-store.ts'
import { buildOa, type Received, reply, startServer } from './support.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A platform whose refresh tokens work once, its store, and a stored row that starts with an expired token. */
async function setUp(
  options: {
    stored?: StoredTokens
    save?: (pair: TokenPair, attempt: number) => Promise<void>
    answer?: (req: Received, res: ServerResponse) => void
    load?: (attempt: number) => void
  } = {},
) {
  const events: string[] = []
  let valid = 'not yet'
  let refreshToken = 'refresh-1'
  let renewals = 0
  let saves = 0
  let loads = 0
  const stored: StoredTokens = options.stored ?? {
    accessToken: 'expired',
    refreshToken: 'refresh-1',
    appId: 'app',
    secretKey: 'secret',
  }
  const server = await startServer((req, res) => {
    if (!req.url.startsWith('/v4/oa/access_token')) {
      events.push(`send ${req.headers.access_token}`)
      if (req.headers.access_token === valid) reply(res, { error: 0, data: { msg_id: 'm1' } })
      else reply(res, { error: -220, message: 'expired' })
      return
    }
    events.push('renew')
    renewals += 1
    if (options.answer) {
      options.answer(req, res)
      return
    }
    if (new URLSearchParams(req.body).get('refresh_token') !== refreshToken) {
      reply(res, { error: -14014, error_name: 'Invalid refresh token', error_reason: 'used' })
      return
    }
    valid = `access-${renewals + 1}`
    refreshToken = `refresh-${renewals + 1}`
    // Slow enough for the other requests to arrive while it is in progress.
    setTimeout(
      () => reply(res, { access_token: valid, refresh_token: refreshToken, expires_in: '90000' }),
      50,
    )
  })
  closers.push(server.close)
  const tokens = createTokenStore({
    oauthUrl: server.url,
    load: async () => {
      loads += 1
      options.load?.(loads)
      return { ...stored }
    },
    save: async (_oa, pair, usedRefreshToken) => {
      saves += 1
      await options.save?.(pair, saves)
      if (stored.refreshToken !== usedRefreshToken) return false
      Object.assign(stored, { accessToken: pair.accessToken, refreshToken: pair.refreshToken })
      events.push(`saved ${pair.accessToken}`)
      return true
    },
    defaultAccessToken: (oa) => (oa.oaId === 'free' ? `sim:${oa.oaId}` : undefined),
    now: () => new Date('2026-03-01T03:00:00Z'),
  })
  const platform = createHttpPlatform({ businessUrl: server.url, openapiUrl: server.url, tokens })
  const send = (oa = buildOa({ accessToken: 'expired' })) =>
    platform.sendToPhone(oa, {
      phone: '84901234567',
      templateId: '1',
      params: {},
      trackingId: 't',
      development: false,
    })
  return { tokens, send, events, stored, received: server.received, renewals: () => renewals }
}

describe('token store', () => {
  it('20 parallel sends with an expired token make one renewal and all go out', async () => {
    const { send, renewals, stored } = await setUp()
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => send()))
    expect(outcomes.every((outcome) => outcome.kind === 'ok')).toBe(true)
    expect(renewals()).toBe(1)
    expect(stored).toMatchObject({ accessToken: 'access-2', refreshToken: 'refresh-2' })
  })

  it('stores the new pair before using it', async () => {
    const { send, events } = await setUp({ save: () => new Promise((resolve) => setTimeout(resolve, 30)) })
    await send()
    expect(events).toEqual(['send expired', 'renew', 'saved access-2', 'send access-2'])
  })

  it('asks form-encoded with the secret in its header', async () => {
    const pairs: TokenPair[] = []
    const { send, received } = await setUp({
      save: async (pair) => {
        pairs.push(pair)
      },
    })
    await send()
    const asked = received.find((req) => req.url === '/v4/oa/access_token')!
    expect(asked.headers).toMatchObject({
      secret_key: 'secret',
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(Object.fromEntries(new URLSearchParams(asked.body))).toEqual({
      refresh_token: 'refresh-1',
      app_id: 'app',
      grant_type: 'refresh_token',
    })
    expect(pairs).toEqual([{ expiresInSeconds: 90_000, accessToken: 'access-2', refreshToken: 'refresh-2' }])
  })

  it('a caller with credentials from before the renewal goes straight to the new token', async () => {
    const { send, events } = await setUp()
    await send()
    events.length = 0
    await send(buildOa({ accessToken: 'expired' }))
    expect(events).toEqual(['send access-2'])
  })

  it('takes a token that another process has stored instead of renewing', async () => {
    const { send, renewals, tokens } = await setUp()
    await send()
    const { accessToken } = buildOa({ accessToken: 'long-gone' })
    expect(await tokens.refresh(buildOa({ accessToken }), 'long-gone')).toBe('access-2')
    expect(renewals()).toBe(1)
  })

  it('a used refresh token (-14014, HTTP 200) waits for the pair the other process is storing', async () => {
    const stored: StoredTokens = {
      accessToken: 'expired',
      refreshToken: 'used',
      appId: 'app',
      secretKey: 'secret',
    }
    const { tokens } = await setUp({
      stored,
      load: (attempt) => {
        if (attempt === 3) stored.accessToken = 'from-elsewhere'
      },
    })
    expect(await tokens.refresh(buildOa(), 'expired')).toBe('from-elsewhere')
  })

  it.each([
    ['error_name with HTTP 200', { error_name: 'Invalid', error_reason: 'x', error_description: 'y' }, 200],
    ['a negative error beside tokens', { error: '-14002', access_token: 'a', refresh_token: 'b' }, 200],
  ])('%s is a refusal, and never stored', async (_name, body, status) => {
    const { send, stored } = await setUp({ answer: (_req, res) => reply(res, body, status) })
    expect(await send()).toMatchObject({ kind: 'rejected', code: -220, class: 'auth' })
    expect(stored).toMatchObject({ accessToken: 'expired', refreshToken: 'refresh-1' })
  })

  it.each([
    ['tokens that are missing', { expires_in: '90000' }, 200],
    ['a pair without its refresh token', { access_token: 'a' }, 200],
    ['a text "undefined" is not JSON', 'undefined', 200],
    ['a pair with HTTP 500', { access_token: 'a', refresh_token: 'b' }, 500],
    ['an error with HTTP 502', { error: -14002, error_name: 'Invalid' }, 502],
  ])(
    'G-24 %s is no refusal: nothing is stored, and the message was surely not sent',
    async (_name, body, status) => {
      const { send, stored, renewals } = await setUp({ answer: (_req, res) => reply(res, body, status) })
      expect(await send()).toMatchObject({ kind: 'unknown', surelyNotSent: true })
      expect(stored).toMatchObject({ accessToken: 'expired', refreshToken: 'refresh-1' })
      await send()
      expect(renewals()).toBe(2)
    },
  )

  it.each([
    [
      'the connection of the renewal breaks',
      { answer: (_req: Received, res: ServerResponse) => res.destroy() },
    ],
    [
      'the stored tokens cannot be read',
      {
        load: () => {
          throw new Error('database is away')
        },
      },
    ],
  ])('G-24 %s: the message was surely not sent', async (_name, broken) => {
    const { send } = await setUp(broken)
    expect(await send()).toMatchObject({
      kind: 'unknown',
      surelyNotSent: true,
      cause: expect.stringContaining('the access token could not be renewed'),
    })
  })

  it('after a refusal the next messages of a batch do not ask again', async () => {
    const { send, renewals } = await setUp({
      answer: (_req, res) => reply(res, { error: -14002, error_name: 'Invalid app id' }),
    })
    await send()
    await send()
    expect(renewals()).toBe(1)
  })

  it('a pair that could not be stored is kept and stored later, not renewed again', async () => {
    const { send, renewals, stored } = await setUp({
      save: async (_pair, attempt) => {
        if (attempt === 1) throw new Error('database is away')
      },
    })
    expect(await send()).toMatchObject({ kind: 'unknown', surelyNotSent: true })
    expect(await send()).toMatchObject({ kind: 'ok' })
    expect(renewals()).toBe(1)
    expect(stored.refreshToken).toBe('refresh-2')
  })

  it('an OA without credentials uses the default token; without a default it has none', async () => {
    const { tokens, send } = await setUp({ stored: {} })
    expect(await tokens.current(buildOa({ oaId: 'free', accessToken: undefined }))).toBe('sim:free')
    expect(await send(buildOa({ accessToken: undefined }))).toMatchObject({
      kind: 'rejected',
      class: 'auth',
      message: expect.stringContaining('connect it first'),
    })
  })
})
