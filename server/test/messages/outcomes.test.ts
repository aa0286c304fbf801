import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { createHttpPlatform } from '../../src/platform/chatapp/http-adapter.ts'
import { buildApp } from '../../src/process/app.ts'
import { checkInvariants } from '../support/invariants.ts'
import {
  applyReceipt,
  entryTypes,
  makeSender,
  receipt,
  rowsOf,
  sendTo,
  sendToUid,
  walletOf,
} from '../support/senders.ts'
import { manage, partnerOf } from '../support/service.ts'
import { control, messagesOnPlatform } from '../support/templates.ts'
import { deafService, HANG_MS } from '../support/unknown-messages.ts'

const running = await deafService({ timings: { platformTimeoutMs: 2_000 } })
const { deps } = running

/** While `work` runs, the platform lets calls hang for longer than we wait. */
async function withoutAnswers<T>(work: () => Promise<T>): Promise<T> {
  await control(running, '/settings', { hangMs: 30_000 })
  try {
    return await work()
  } finally {
    await control(running, '/settings', { hangMs: HANG_MS })
  }
}

describe('G-24 three outcomes, by the simulator’s magic numbers', () => {
  it.each([
    ['0001', '-118'],
    ['0002', '-141'],
    ['0009', '-133'],
  ])('%s is a definite no: ERROR with code %s, released', async (ending, code) => {
    const sender = await makeSender(running)
    expect((await sendTo(sender, `090123${ending}`)).status).toBe(400)
    expect(await rowsOf(running, sender.shop)).toMatchObject([
      { state: 'ERROR', error_code: code, session_id: '' },
    ])
    expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold', 'release'])
  })

  it('0003 is accepted and never delivered: RECEIVED, captured, and shows its sent time', async () => {
    const sender = await makeSender(running)
    expect((await sendTo(sender, '0901230003')).status).toBe(200)
    const [row] = await rowsOf(running, sender.shop)
    expect(row).toMatchObject({ state: 'RECEIVED', delivered_at: null })
    const history = await sender.shop.get('/api/external/notify-message/history')
    expect(history.body.histories[0].deliveryTime).toBe(String(row!.sent_at.getTime()))
    expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold', 'capture'])
  })

  it('0004 is delivered twice: two receipts, one capture, and the first receipt’s time is kept', async () => {
    const sender = await makeSender(running)
    const trackingId = (await sendTo(sender, '0901230004')).body.data.message_id
    const first = new Date('2026-05-01T10:00:00.000Z')
    const second = new Date('2026-05-01T10:00:05.000Z')
    const { oaId } = sender.template
    expect(await applyReceipt(deps, oaId, receipt({ trackingId, deliveredAt: first }))).toBe('applied')
    expect(await applyReceipt(deps, oaId, receipt({ trackingId, deliveredAt: second }))).toBe('applied')
    const history = await sender.shop.get('/api/external/notify-message/history')
    expect(history.body.histories[0].deliveryTime).toBe(String(first.getTime()))
    expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold', 'capture'])
    await expect.poll(async () => (await messagesOnPlatform(running, oaId))[0]?.deliveredCount).toBe(2)
  })

  it('0005 times out and is delivered: 202 UNKNOWN, then its receipt makes it RECEIVED and captures', async () => {
    const sender = await makeSender(running)
    const answer = await withoutAnswers(() => sendTo(sender, '0901230005'))
    expect(answer.status).toBe(202)
    const trackingId = answer.body.data.message_id
    expect(await rowsOf(running, sender.shop)).toMatchObject([{ state: 'UNKNOWN', unknown_cause: 'timeout' }])
    expect(await walletOf(sender.shop)).toEqual({ balance: 9_800, held: 200 })
    const [onPlatform] = await messagesOnPlatform(running, sender.template.oaId)
    const event = receipt({ trackingId, msgId: onPlatform!.msg_id })
    expect(await applyReceipt(deps, sender.template.oaId, event)).toBe('applied')
    expect(await rowsOf(running, sender.shop)).toMatchObject([
      { state: 'RECEIVED', session_id: onPlatform!.msg_id, params: { otp: '***' } },
    ])
    expect(await walletOf(sender.shop)).toEqual({ balance: 9_800, held: 0 })
    expect(await messagesOnPlatform(running, sender.template.oaId)).toHaveLength(1)
  })

  it('0006 times out and is lost: 202 UNKNOWN, the hold stays, it is not sent again', async () => {
    const sender = await makeSender(running)
    expect((await sendTo(sender, '0901230006')).status).toBe(202)
    expect(await rowsOf(running, sender.shop)).toMatchObject([{ state: 'UNKNOWN', lease_until: null }])
    expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold'])
    expect(await messagesOnPlatform(running, sender.template.oaId)).toEqual([])
  })

  it('0007 answers 500: UNKNOWN, for the platform may have acted before it failed', async () => {
    const sender = await makeSender(running)
    expect((await sendTo(sender, '0901230007')).status).toBe(202)
    expect(await rowsOf(running, sender.shop)).toMatchObject([
      { state: 'UNKNOWN', unknown_cause: 'HTTP 500' },
    ])
  })

  it('0008 has its receipt before the answer: RECEIVED once, captured once', async () => {
    const sender = await makeSender(running)
    await control(running, '/settings', { suppressEvents: false, deliveryMs: 60_000 })
    try {
      expect((await sendTo(sender, '0901230008')).status).toBe(200)
      await expect.poll(async () => (await rowsOf(running, sender.shop))[0]!.delivered_at).not.toBeNull()
    } finally {
      await control(running, '/settings', { suppressEvents: true, deliveryMs: 20 })
    }
    expect(await rowsOf(running, sender.shop)).toMatchObject([
      { state: 'RECEIVED', session_id: expect.stringMatching(/^\d+$/) },
    ])
    expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold', 'capture'])
  })

  it.each([
    ['0001', 400, 'ERROR'],
    ['0002', 400, 'ERROR'],
    ['0003', 200, 'RECEIVED'],
    ['0004', 200, 'RECEIVED'],
    ['0005', 202, 'UNKNOWN'],
    ['0006', 202, 'UNKNOWN'],
    ['0007', 202, 'UNKNOWN'],
    ['0008', 200, 'RECEIVED'],
    ['0009', 400, 'ERROR'],
  ])('a UID ending %s answers %i and is %s', async (ending, status, state) => {
    const sender = await makeSender(running)
    expect((await sendToUid(sender, `${sender.shop.shopId.slice(0, 20)}${ending}`)).status).toBe(status)
    expect(await rowsOf(running, sender.shop)).toMatchObject([{ state }])
  })

  it('invariants hold after all of these', () => checkInvariants(deps.db))
})

describe('G-24 the platform cannot be reached', () => {
  /** The service with the address of its platform at a port where nothing listens. */
  async function withoutPlatform(): Promise<Deps> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const nowhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await new Promise((resolve) => server.close(resolve))
    const tokens = { current: async () => 'token', refresh: async () => undefined }
    return { ...deps, platform: createHttpPlatform({ businessUrl: nowhere, openapiUrl: nowhere, tokens }) }
  }

  it('503 with Retry-After, nothing charged, and the message has ended as an error', async () => {
    const sender = await makeSender(running)
    const app = await buildApp(await withoutPlatform())
    const shop = partnerOf({ ...running, app }, sender.shop.shopId, sender.shop.apiKey)
    const answer = await sendTo({ ...sender, shop }, '0901234567')
    expect(answer.status).toBe(503)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(answer.body).toEqual({
      statusCode: 503,
      error: 'Service Unavailable',
      message: 'The messaging platform cannot be reached. Nothing was sent or charged. Retry shortly',
    })
    expect(await walletOf(sender.shop)).toEqual({ balance: 10_000, held: 0 })
    expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold', 'release'])
    const history = await sender.shop.get('/api/external/notify-message/history')
    expect(JSON.parse(history.body.histories[0].reason)).toMatchObject({ code: 'NOT_SENT' })
    await app.close()
  })

  it('an access token that cannot be read is surely not sent: released', async () => {
    const sender = await makeSender(running)
    await manage(running, 'POST', `/shops/${sender.shop.shopId}/official-accounts`, {
      oaId: sender.template.oaId,
      name: 'x',
      accessToken: 'token',
    })
    await sql`
      update official_accounts set access_token = '\\x00' where shop_id = ${sender.shop.shopId}`.execute(
      deps.db,
    )
    expect((await sendTo(sender, '0901234567')).status).toBe(503)
    expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold', 'release'])
  })

  it('a hanging platform: 202 after the time limit, and the send is not repeated', async () => {
    const sender = await makeSender(running)
    await control(running, '/faults', { faults: [{ kind: 'hang', endpoint: '/message/template' }] })
    try {
      expect((await withoutAnswers(() => sendTo(sender, '0901234567'))).status).toBe(202)
    } finally {
      await control(running, '/faults', { faults: [] })
    }
    expect(await rowsOf(running, sender.shop)).toMatchObject([{ state: 'UNKNOWN' }])
  })
})
