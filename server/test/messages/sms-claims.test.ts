import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { sendFallbacks } from '../../src/modules/messages/fallback/send-fallbacks.ts'
import { claimDueFallbacks, updateFallback } from '../../src/modules/messages/fallback/sql.ts'
import { reply, startServer } from '../platform/support.ts'
import { walletOf } from '../support/senders.ts'
import { eventually } from '../support/service.ts'
import { MONEY, PRICE, refusedTo, smsEnded, smsService, statusOf } from '../support/sms.ts'

const { running, at, makeFalling, smsOnProvider, roundIn, holds } = await smsService()
const { deps } = running
const timings = { ...deps.timings, platformTimeoutMs: 20_000 }
const CLAIM_SECONDS = timings.smsClaimMs / 1000

async function fallbacks(shopId: string) {
  const { rows } = await sql<{ message_id: string; state: string; due_at: Date | null }>`
    select message_id, state, due_at from message_fallbacks where shop_id = ${shopId}`.execute(deps.db)
  return rows
}

/** A provider that answers `body` to what it is handed once the test says so. */
async function slowProvider(body: unknown) {
  const released = Promise.withResolvers<void>()
  const provider = await startServer(async (_request, response) => {
    await released.promise
    reply(response, body)
  })
  return { ...provider, release: released.resolve }
}

describe('G-92 claims of SMS', () => {
  it('a stop leaves those that were not handed over queued and due, and the next round sends them', async () => {
    const sender = await makeFalling()
    const count = 20
    for (let n = 0; n < count; n++) await refusedTo(sender, `09${10 + n}110001`)
    const provider = await slowProvider({ CodeResult: '100', SMSID: 'slow' })
    const stopping = new AbortController()
    const round = sendFallbacks(at(0, { esmsUrl: provider.url, timings }), stopping.signal)
    await eventually(async () => provider.received.length > 0)
    stopping.abort()
    provider.release()
    await round
    const begun = provider.received.map(({ json }) => json.RequestId)
    expect(begun.length).toBeLessThanOrEqual(8)
    const now = deps.clock.now()
    const rows = await fallbacks(sender.shop.shopId)
    for (const { message_id: id, state, due_at: dueAt } of rows) {
      if (begun.includes(id)) expect(state).toBe('SENT')
      else expect([state, dueAt! <= now]).toEqual(['QUEUED', true])
    }
    await provider.close()
    await roundIn()
    for (const { message_id: id } of rows)
      expect(await smsOnProvider(id)).toHaveLength(begun.includes(id) ? 0 : 1)
    await holds(sender)
  })

  it('what a process says about an SMS that another has claimed since changes nothing', async () => {
    const sender = await makeFalling()
    const id = await refusedTo(sender, '0911110001')
    const claim = async (seconds: number) => {
      const { clock } = at(seconds)
      const claimedUntil = new Date(clock.now().getTime() + timings.smsClaimMs)
      const rows = await claimDueFallbacks(deps.db, { now: clock.now(), claimedUntil, limit: 32 })
      return rows.find((row) => row.message_id === id)
    }
    const first = await claim(0)
    expect(await claim(1)).toBeUndefined()
    const second = await claim(CLAIM_SECONDS + 1)
    expect([first?.state, second?.state]).toEqual(['QUEUED', 'QUEUED'])
    const now = deps.clock.now()
    await updateFallback(deps.db, second!, { state: 'SENT', sessionId: 'of-the-second', dueAt: now, now })
    const before = await fallbacks(sender.shop.shopId)
    await updateFallback(deps.db, first!, { state: 'QUEUED', dueAt: new Date(0), now })
    expect(await fallbacks(sender.shop.shopId)).toEqual(before)
    expect(before).toMatchObject([{ state: 'SENT' }])
  })

  it('a late refusal to a stalled process does not end an SMS that another has sent', async () => {
    const sender = await makeFalling()
    const id = await refusedTo(sender, '0911120001')
    const provider = await slowProvider({ CodeResult: '146', ErrorMessage: 'Wrong template' })
    const stalled = sendFallbacks(at(0, { esmsUrl: provider.url, timings }))
    await eventually(async () => provider.received.length > 0)
    await roundIn(CLAIM_SECONDS + 1)
    expect(await smsOnProvider(id)).toHaveLength(1)
    provider.release()
    await stalled
    await provider.close()
    await smsEnded(sender, id)
    expect(await statusOf(sender, id)).toEqual(['RECEIVED', 'sms'])
    expect(await walletOf(sender.shop)).toEqual({ balance: MONEY - PRICE, held: 0 })
    await holds(sender)
  })
})
