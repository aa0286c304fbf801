import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asJson, type Json } from '../src/read.ts'
import { type Platform, startPlatform } from './simulator.ts'

let platform: Platform
beforeEach(async () => {
  platform = await startPlatform()
})
afterEach(() => platform.close())

async function refresh(token: string, change: Record<string, string> = {}): Promise<Json> {
  const res = await platform.app.inject({
    method: 'POST',
    url: '/v4/oa/access_token',
    headers: { secret_key: 's', 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      refresh_token: token,
      app_id: '1',
      grant_type: 'refresh_token',
      ...change,
    }).toString(),
  })
  return asJson(res.json())
}

describe('access token', () => {
  it.each([
    ['missing', ''],
    ['malformed', 'sim:'],
    ['unknown', 'something'],
  ])('%s is -216', async (_, token) => {
    expect(await platform.get('/message/quota', token)).toMatchObject({ error: -216 })
  })

  it('of an expired OA is -220 until a refresh, and other OAs go on', async () => {
    const before = await refresh('simr:oa1')
    await platform.post('/control/tokens/expire', { oaId: 'oa1' })
    expect(await platform.get('/message/quota', 'sim:oa1')).toMatchObject({ error: -220 })
    expect(await platform.get('/message/quota', String(before.access_token))).toMatchObject({ error: -220 })
    expect(await platform.get('/message/quota', 'sim:oa2')).toMatchObject({ error: 0 })
    const after = await refresh(String(before.refresh_token))
    expect(await platform.get('/message/quota', String(after.access_token))).toMatchObject({ error: 0 })
  })

  it('ends after 25 hours', async () => {
    const { access_token: token } = await refresh('simr:oa1')
    await platform.post('/control/settings', { clock: Date.now() + 90_001_000 })
    expect(await platform.get('/message/quota', String(token))).toMatchObject({ error: -220 })
  })
})

describe('refresh', () => {
  it('gives a new pair once; a used token is -14014', async () => {
    const first = await refresh('simr:oa1')
    expect(first).toMatchObject({ expires_in: '90000', access_token: expect.any(String) })
    expect(first.refresh_token).not.toBe('simr:oa1')
    expect(await refresh('simr:oa1')).toMatchObject({ error: -14014, error_name: expect.any(String) })
    const second = await refresh(String(first.refresh_token))
    expect(second.access_token).not.toBe(first.access_token)
    expect(await refresh(String(first.refresh_token))).toMatchObject({ error: -14014 })
  })

  it('lets only one of two racing refreshes win', async () => {
    const both = await Promise.all([refresh('simr:oa1'), refresh('simr:oa1')])
    expect(both.filter((answer) => answer.error === -14014)).toHaveLength(1)
  })

  it('refuses a JSON body, another grant and a missing app', async () => {
    const json = await platform.post('/v4/oa/access_token', { refresh_token: 'simr:oa1' })
    expect(json).toMatchObject({ error: -14002 })
    expect(await refresh('simr:oa1', { grant_type: 'password' })).toMatchObject({ error: -14002 })
    expect(await refresh('simr:oa1', { app_id: '' })).toMatchObject({ error: -14002 })
  })
})
