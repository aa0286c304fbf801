import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createDispatcher } from '../../src/modules/messages/batches/dispatch.ts'
import { takeCalls } from '../../src/modules/messages/batches/sql.ts'
import { createBreaker } from '../../src/platform/breaker.ts'
import { createHttpPlatform } from '../../src/platform/chatapp/http-adapter.ts'
import { fixedTokens } from '../platform/support.ts'
import {
  BATCHES,
  type BatchShop,
  batchTo,
  makeBatchShop,
  messageRows,
  OTP_VALUES,
  PLAIN_VALUES,
  phones,
  readBatch,
  whenBatchDone,
} from '../support/batches.ts'
import { checkInvariants } from '../support/invariants.ts'
import { eventually, separateService } from '../support/service.ts'
import { control, insertEnabledTemplate, messagesOnPlatform } from '../support/templates.ts'
import { isAround } from './boundaries.ts'

const running = await separateService({ platformRatePerMinute: 0 })
const { deps } = running
const SEND = '/api/external/notify-message/send'

async function post({ shop }: BatchShop, body: unknown): Promise<string> {
  const made = await shop.post(BATCHES, body)
  if (made.status !== 202) throw new Error(JSON.stringify(made.body))
  return made.body.data.id
}

const whenWaiting = (sender: BatchShop, id: string, reason: string) =>
  eventually(async () => {
    const batch = await readBatch(sender, id)
    return batch.waiting?.reason === reason && batch
  }, 10_000)

/** Runs rounds of a dispatcher whose clock stands at `at`, until nothing more can be sent. */
async function dispatchAt(at: Date): Promise<void> {
  const dispatcher = createDispatcher({ ...deps, clock: { now: () => at } })
  while ((await dispatcher.round()) === 0) await dispatcher.settled()
  await dispatcher.settled()
}

const justAfter = (instant: string) => new Date(Date.parse(instant) + 60_000)

async function slowly<T>(work: () => Promise<T>, latencyMs = 40): Promise<T> {
  await control(running, '/faults', [{ kind: 'latency', endpoint: '/message/template', share: 1, latencyMs }])
  return work().finally(() => control(running, '/faults', []))
}

describe('G-27 fairness', () => {
  it('one shop’s many messages do not delay another’s few', async () => {
    const [many, few] = [await makeBatchShop(running), await makeBatchShop(running)]
    await slowly(async () => {
      const large = await post(many, batchTo(many, phones(600)))
      await eventually(async () => (await readBatch(many, large)).progress.received > 0)
      const small = await post(few, batchTo(few, phones(10)))
      await whenBatchDone(few, small)
      expect((await readBatch(many, large)).progress.queued).toBeGreaterThan(300)
      await many.shop.post(`${BATCHES}/${large}/cancel`)
    })
  })

  it('one-time passwords go before what the same shop has queued, and single sends at once', async () => {
    const sender = await makeBatchShop(running)
    const otp = await insertEnabledTemplate(running, sender.shop.shopId)
    await slowly(async () => {
      const large = await post(sender, batchTo(sender, phones(600)))
      await eventually(async () => (await readBatch(sender, large)).progress.received > 0)
      const messages = phones(10, '03').map((receiverPhone) => ({ receiverPhone, params: OTP_VALUES }))
      const codes = await post(sender, { templateId: otp.id, messages })
      const single = { templateId: sender.template.id, receiverPhone: '0912345678', params: PLAIN_VALUES }
      const startedAt = performance.now()
      expect((await sender.shop.post(SEND, single)).status).toBe(200)
      expect(performance.now() - startedAt).toBeLessThan(1_500)
      await whenBatchDone(sender, codes)
      expect((await readBatch(sender, large)).progress.queued).toBeGreaterThan(300)
      await sender.shop.post(`${BATCHES}/${large}/cancel`)
    })
  })

  it('two processes share the work: nothing goes twice', async () => {
    const sender = await makeBatchShop(running)
    const id = await post(sender, batchTo(sender, phones(200)))
    await Promise.all([dispatchAt(new Date()), dispatchAt(new Date()), dispatchAt(new Date())])
    expect((await whenBatchDone(sender, id)).progress).toMatchObject({ received: 200 })
    const ids = (await messagesOnPlatform(running, sender.template.oaId)).map((one) => one.tracking_id)
    expect(ids).toHaveLength(200)
    expect(new Set(ids).size).toBe(200)
    await checkInvariants(deps.db, sender.shop.shopId)
  })
})

describe('G-27 the platform asks to send later', () => {
  it('night: the batch waits with its reason, tries no further, and goes on by itself in the morning', async (test) => {
    test.skip(isAround('morning'))
    const sender = await makeBatchShop(running)
    await control(running, '/settings', { nightWindow: true, clock: '2026-05-01T16:00:00Z' })
    const id = await post(sender, batchTo(sender, phones(40)))
    const waiting = await whenWaiting(sender, id, 'NIGHT_WINDOW')
    expect(waiting).toMatchObject({ status: 'WAITING' })
    // 06:00 in Vietnam.
    expect(waiting.waiting.resumesAt).toMatch(/T23:00:00.000Z$/)
    await eventually(async () => (await readBatch(sender, id)).progress.queued === 40)
    const tried = (await messageRows(running, sender.shop.shopId)).filter((row) => row.put_offs > 0)
    expect(tried.length).toBeLessThanOrEqual(32)
    await dispatchAt(new Date())
    expect((await readBatch(sender, id)).progress).toMatchObject({ queued: 40, received: 0 })
    expect((await sender.shop.get('/api/external/wallet')).body.held).toBe(40 * 200)
    await control(running, '/settings', { nightWindow: false, clock: new Date().toISOString() })
    await dispatchAt(justAfter(waiting.waiting.resumesAt))
    expect((await readBatch(sender, id)).progress).toMatchObject({ queued: 0, received: 40 })
    expect(await messagesOnPlatform(running, sender.template.oaId)).toHaveLength(40)
    const { body } = await sender.shop.get(`/api/external/notify-message/messages/${tried[0].id}`)
    expect(body.data.events.map((event: { kind: string }) => event.kind).slice(0, 5)).toEqual([
      'accepted',
      'sending',
      'put_off',
      'sending',
      'sent',
    ])
    await checkInvariants(deps.db, sender.shop.shopId)
  })

  it('the quota of the day: what it leaves goes today, the rest after midnight in Vietnam', async (test) => {
    test.skip(isAround('midnight'))
    const sender = await makeBatchShop(running)
    await control(running, '/settings', { dailyQuota: 12 })
    const id = await post(sender, batchTo(sender, phones(30)))
    const waiting = await whenWaiting(sender, id, 'DAILY_QUOTA')
    expect(waiting.waiting.resumesAt).toMatch(/T17:00:00.000Z$/)
    await eventually(async () => (await readBatch(sender, id)).progress.received === 12)
    await control(running, '/settings', { dailyQuota: 500 })
    await dispatchAt(justAfter(waiting.waiting.resumesAt))
    expect((await readBatch(sender, id)).progress).toMatchObject({ queued: 0, received: 30 })
    await checkInvariants(deps.db, sender.shop.shopId)
  })

  it('the platform’s rate: waits a minute and goes on', async () => {
    const sender = await makeBatchShop(running)
    await control(running, '/settings', { requestsPerMinute: 5 })
    const id = await post(sender, batchTo(sender, phones(20)))
    const { waiting } = await whenWaiting(sender, id, 'RATE_LIMIT')
    await control(running, '/settings', { requestsPerMinute: 0 })
    await eventually(async () => (await readBatch(sender, id)).progress.sending === 0)
    await dispatchAt(justAfter(waiting.resumesAt))
    expect((await readBatch(sender, id)).progress).toMatchObject({ queued: 0, received: 20 })
  })

  it('a batch cancelled while it waits for the morning is given back', async () => {
    const sender = await makeBatchShop(running)
    await control(running, '/settings', { dailyQuota: 0 })
    const id = await post(sender, batchTo(sender, phones(20)))
    await whenWaiting(sender, id, 'DAILY_QUOTA')
    await eventually(async () => (await readBatch(sender, id)).progress.sending === 0)
    const { body } = await sender.shop.post(`${BATCHES}/${id}/cancel`)
    await control(running, '/settings', { dailyQuota: 500 })
    expect(body.data).toMatchObject({ status: 'CANCELLED', progress: { cancelled: 20 } })
    expect((await sender.shop.get('/api/external/wallet')).body).toEqual({ balance: 1_000_000, held: 0 })
  })
})

describe('G-27 cancelling what is under way', () => {
  it('messages under way end by the platform’s response, here a refusal; nothing returns to the queue', async () => {
    const sender = await makeBatchShop(running)
    await control(running, '/settings', { dailyQuota: 0 })
    const cancelled = await slowly(async () => {
      const id = await post(sender, batchTo(sender, phones(60)))
      await eventually(async () => (await readBatch(sender, id)).progress.sending > 0)
      await sender.shop.post(`${BATCHES}/${id}/cancel`)
      return eventually(async () => {
        const batch = await readBatch(sender, id)
        return batch.status === 'CANCELLED' && batch
      })
    }, 500)
    await control(running, '/settings', { dailyQuota: 500 })
    const { error, cancelled: given } = cancelled.progress
    expect(error).toBeGreaterThan(0)
    expect(error + given).toBe(60)
    const codes = (await messageRows(running, sender.shop.shopId)).map((row) => row.error_code)
    expect(new Set(codes)).toEqual(new Set(['-144', 'CANCELLED']))
    expect((await sender.shop.get('/api/external/wallet')).body).toEqual({ balance: 1_000_000, held: 0 })
    await checkInvariants(deps.db, sender.shop.shopId)
  })
})

describe('G-77 a withdrawal while messages are with the platform', () => {
  it('what the platform defers is not sent later to a customer who withdrew meanwhile, and its fee comes back', async () => {
    const sender = await makeBatchShop(running, 1_000_000, { tag: '3' })
    const [phone, other] = phones(2)
    await control(running, '/settings', { dailyQuota: 0 })
    await slowly(async () => {
      const id = await post(sender, batchTo(sender, [phone!, other!]))
      await eventually(async () => (await readBatch(sender, id)).progress.sending === 2)
      const said = { phone, status: 'withdrawn', source: 'gọi tổng đài' }
      const { body } = await sender.shop.post('/api/external/v1/consents', said)
      expect(body.data.cancelled).toBe(0)
      await eventually(async () => (await readBatch(sender, id)).progress.sending === 0, 10_000)
    }, 1_500)
    await control(running, '/settings', { dailyQuota: 500 })
    const rows = await messageRows(running, sender.shop.shopId)
    const states = Object.fromEntries(rows.map((row) => [row.phone, [row.state, row.error_code]]))
    expect(states).toEqual({
      [`84${phone!.slice(1)}`]: ['ERROR', 'OPTED_OUT'],
      [`84${other!.slice(1)}`]: ['QUEUED', null],
    })
    expect((await sender.shop.get('/api/external/wallet')).body.held).toBe(rows[0].fee)
    await checkInvariants(deps.db, sender.shop.shopId)
  })
})

describe('G-24 outcomes of queued messages', () => {
  it('a refusal ends in ERROR, no clear answer in UNKNOWN and is not repeated, the others go on', async () => {
    const sender = await makeBatchShop(running)
    const receivers = ['0901230001', '0901230007', ...phones(10)]
    const id = await post(sender, batchTo(sender, receivers))
    const done = await whenBatchDone(sender, id)
    expect(done.progress).toMatchObject({ received: 10, error: 1, unknown: 1 })
    await checkInvariants(deps.db, sender.shop.shopId)
  })
})

describe('the platform away', () => {
  it('opens the circuit: batches wait with PLATFORM_UNAVAILABLE, E5 answers 503 at once and holds nothing', async () => {
    const sender = await makeBatchShop(running)
    await control(running, '/faults', [
      { kind: '5xx', endpoint: '/message/template', share: 1, status: 503 },
      { kind: '5xx', endpoint: '/v3.0/oa/message/template', share: 1, status: 503 },
    ])
    const id = await post(sender, batchTo(sender, phones(60)))
    const batch = await whenWaiting(sender, id, 'PLATFORM_UNAVAILABLE')
    await eventually(async () => (await readBatch(sender, id)).progress.sending === 0)
    const { progress } = await readBatch(sender, id)
    // Ten failures open the circuit; calls that were under way at the same time fail as well.
    expect(progress.unknown).toBeLessThan(60)
    expect(progress.queued + progress.unknown).toBe(60)
    expect(Date.parse(batch.waiting.resumesAt) - Date.now()).toBeLessThan(15_500)

    const before = (await sender.shop.get('/api/external/wallet')).body
    const refused = await sender.shop.post(SEND, {
      templateId: sender.template.id,
      receiverPhone: '0912345678',
      params: PLAIN_VALUES,
    })
    expect(refused.status).toBe(503)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(15)
    expect((await sender.shop.get('/api/external/wallet')).body).toEqual(before)
    expect(await messageRows(running, sender.shop.shopId)).toHaveLength(60)

    const metrics = await running.app.inject({ url: '/metrics' })
    expect(metrics.body).toMatch(
      new RegExp(
        `shopbell_platform_circuit_open\\{oa="${sender.template.oaId}",endpoint="sendToPhone".*\\} 1`,
      ),
    )

    await control(running, '/faults', [])
    // Another process has its own circuit, which has seen no failure.
    const breaker = createBreaker(deps.clock)
    const urls = { businessUrl: running.simulatorUrl, openapiUrl: running.simulatorUrl }
    const platform = breaker.wrap(createHttpPlatform({ ...urls, tokens: fixedTokens }))
    const later = { now: () => justAfter(batch.waiting.resumesAt) }
    const dispatcher = createDispatcher({ ...deps, platform, breaker, clock: later })
    await eventually(async () => {
      await dispatcher.round()
      await dispatcher.settled()
      const now = await readBatch(sender, id)
      return now.progress.received + now.progress.unknown === 60
    }, 19_000)
    await checkInvariants(deps.db, sender.shop.shopId)
  }, 40_000)
})

describe('the shared allowance', () => {
  it('gives a twentieth of the minute at once, however many processes ask, and the rest by and by', async () => {
    const reset = () =>
      sql`update platform_pace set tokens = 30, refilled_at = now() where name = 'send'`.execute(deps.db)
    await reset()
    const ask = (want: number, debt = 0) => takeCalls(deps.db, { want, debt, ratePerMinute: 600 })
    const given = await Promise.all(Array.from({ length: 12 }, () => ask(10)))
    const sum = given.reduce((one, other) => one + other, 0)
    expect(sum).toBeGreaterThanOrEqual(30)
    expect(sum).toBeLessThan(36)
    await sql`update platform_pace set refilled_at = now() - interval '1 second' where name = 'send'`.execute(
      deps.db,
    )
    expect(await ask(100)).toBeGreaterThanOrEqual(9)
  })

  it('a debt is paid first, and never more than a minute of it', async () => {
    await sql`update platform_pace set tokens = 30, refilled_at = now() where name = 'send'`.execute(deps.db)
    const ask = (want: number, debt = 0) => takeCalls(deps.db, { want, debt, ratePerMinute: 600 })
    expect(await ask(30, 20)).toBeLessThanOrEqual(12)
    expect(await ask(1, 1_000_000)).toBe(0)
    await sql`update platform_pace set refilled_at = now() - interval '64 seconds' where name = 'send'`.execute(
      deps.db,
    )
    expect(await ask(1)).toBe(1)
  })
})
