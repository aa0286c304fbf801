import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asJson, type Json } from '../src/read.ts'
import { type Platform, type Receiver, startPlatform, startReceiver } from './simulator.ts'

let platform: Platform
let receiver: Receiver
beforeEach(async () => {
  receiver = await startReceiver()
  platform = await startPlatform({ appId: 'app-1', appSecret: 'app-secret', webhookUrl: receiver.url })
})
afterEach(async () => {
  await platform.close()
  await receiver.close()
})

const VERIFIER = 'v'.repeat(43)
const ASKED = {
  app_id: 'app-1',
  redirect_uri: 'https://shop.example/oauth/platform/callback',
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  state: 'st&1',
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

function consent(change: Record<string, string> = {}) {
  const payload = new URLSearchParams({ ...ASKED, oa_id: 'oa7', answer: 'allow', ...change }).toString()
  return platform.app.inject({ method: 'POST', url: '/v4/oa/permission', headers: FORM, payload })
}

async function codeOf(change: Record<string, string> = {}): Promise<string> {
  const { headers } = await consent(change)
  return new URL(String(headers.location)).searchParams.get('code')!
}

async function tokens(body: Record<string, string>, secret = 'app-secret'): Promise<Json> {
  const res = await platform.app.inject({
    method: 'POST',
    url: '/v4/oa/access_token',
    headers: { ...FORM, secret_key: secret },
    payload: new URLSearchParams({ app_id: 'app-1', ...body }).toString(),
  })
  return asJson(res.json())
}
const exchange = (code: string, change: Record<string, string> = {}, secret?: string) =>
  tokens({ grant_type: 'authorization_code', code, code_verifier: VERIFIER, ...change }, secret)
const renew = (token: unknown, secret?: string) =>
  tokens({ grant_type: 'refresh_token', refresh_token: String(token) }, secret)
const days = (n: number) => platform.post('/control/clock', { days: n })

describe('consent', () => {
  it('leads back with a code, the account and the state; the code gives a pair that works, and the account’s name', async () => {
    const page = await platform.app.inject({ url: `/v4/oa/permission?${new URLSearchParams(ASKED)}` })
    expect([page.statusCode, page.body.includes('value="st&#38;1"')]).toEqual([200, true])
    await platform.post('/control/settings', { oaId: 'oa7', name: 'Tiệm Nến' })
    const { statusCode, headers } = await consent()
    const back = new URL(String(headers.location))
    expect([statusCode, back.origin + back.pathname]).toEqual([303, ASKED.redirect_uri])
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ oa_id: 'oa7', state: 'st&1' })
    const pair = await exchange(back.searchParams.get('code')!)
    expect(await platform.get('/v2.0/oa/getoa', String(pair.access_token))).toMatchObject({
      error: 0,
      data: { oa_id: 'oa7', name: 'Tiệm Nến' },
    })
  })

  it('leads back without a code when it is refused', async () => {
    const back = new URL(String((await consent({ answer: 'refuse' })).headers.location))
    expect(Object.fromEntries(back.searchParams)).toEqual({ state: 'st&1', error: 'access_denied' })
  })

  it.each([
    ['another app', { app_id: 'app-2' }],
    ['no challenge', { code_challenge: '' }],
    ['an address that is none', { redirect_uri: 'javascript:alert(1)' }],
  ])('400 and no way back: %s', async (_, change) => {
    const answer = await consent(change)
    expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined])
  })

  it('a code works once, for ten minutes, for its app and verifier', async () => {
    const used = await codeOf()
    await exchange(used)
    expect(await exchange(used)).toMatchObject({ error: -14008 })
    expect(await exchange(await codeOf(), { code_verifier: 'w'.repeat(43) })).toMatchObject({ error: -14010 })
    const late = await codeOf()
    await days(11 / 1440)
    expect(await exchange(late)).toMatchObject({ error: -14008 })
  })
})

describe('the two secrets of an app', () => {
  it('token requests take the app secret only, for a code as for a refresh token', async () => {
    expect(await exchange(await codeOf(), {}, 'simulator-secret')).toMatchObject({ error: -14004 })
    expect(await renew('simr:oa7', 'simulator-secret')).toMatchObject({ error: -14004 })
    expect(await exchange(await codeOf(), { app_id: 'app-2' })).toMatchObject({ error: -14002 })
    expect(await renew('simr:oa7')).toMatchObject({ access_token: expect.any(String) })
  })

  it('events are signed with the OA secret key and sent to the app’s address, naming their account', async () => {
    await platform.post('/control/events', { oaId: 'oa7', event_name: 'x' })
    const [event] = receiver.events
    const text = `app-1${event!.raw}${event!.body.timestamp}simulator-secret`
    expect(event).toMatchObject({
      path: '/hooks/platform',
      body: { oa_id: 'oa7' },
      signature: `mac=${createHash('sha256').update(text).digest('hex')}`,
    })
  })
})

describe('time', () => {
  it('a refresh token works until it is three months old, its successors likewise', async () => {
    const first = await exchange(await codeOf())
    await days(89)
    const second = await renew(first.refresh_token)
    await days(89)
    const third = await renew(second.refresh_token)
    await days(91)
    expect(await renew(third.refresh_token)).toMatchObject({ error: -14015 })
  })
})

describe('the address of an app', () => {
  it('is saved once it answers 200 to a call without event and signature', async () => {
    const address = `${receiver.url}/events-of-all`
    receiver.answers.push(401)
    expect(await platform.post('/control/webhook', { address })).toMatchObject({
      message: expect.any(String),
    })
    expect(await platform.post('/control/webhook', { address })).toEqual({ webhookAddress: address })
    expect(receiver.events.map(({ raw, signature }) => [raw, signature])).toEqual([
      ['{}', ''],
      ['{}', ''],
    ])
    await platform.post('/control/events', { oaId: 'oa7', event_name: 'x' })
    expect(receiver.events[2]?.path).toBe('/events-of-all')
  })
})
