import { expect, it } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { insertConsent } from '../../src/modules/consents/sql.ts'
import { createDispatcher } from '../../src/modules/messages/batches/dispatch.ts'
import type { AcceptedMessage, Platform, PlatformOutcome } from '../../src/platform/types.ts'
import { BATCHES, batchTo, makeBatchShop, messageRows, phones } from '../support/batches.ts'
import { failingTransactions } from '../support/failing-transactions.ts'
import { checkInvariants } from '../support/invariants.ts'
import { entryTypes } from '../support/senders.ts'
import { separateService } from '../support/service.ts'
import type { EnabledTemplateOverrides } from '../support/templates.ts'

const running = await separateService({ platformRatePerMinute: 0 })
const { deps } = running

const DAY_MS = 86_400_000
/** The service's own dispatcher does not send these messages for a day. */
const scheduledAt = new Date(Date.now() + DAY_MS)
const after = (seconds: number) => new Date(scheduledAt.getTime() + seconds * 1_000)

type Answer = PlatformOutcome<AcceptedMessage>
const taken: Answer = { kind: 'ok', data: { msgId: '1' }, raw: {} }
const night: Answer = {
  ...{ kind: 'rejected', code: -133, class: 'later', message: 'night', raw: {} },
  retryAt: after(60),
}

/** A platform that gives these answers in turn, and counts its calls. */
function answering(...answers: (() => Promise<Answer>)[]) {
  const calls = { count: 0 }
  const platform: Platform = { ...deps.platform, sendToPhone: async () => answers[calls.count++]!() }
  return { calls, platform }
}

const broken = () => new Error('Connection terminated unexpectedly')

function dispatcherAt(seconds: number, own: Partial<Deps>) {
  const timings = { ...deps.timings, settlePausesMs: [1, 1, 1, 1, 1, 1, 1, 1] }
  return createDispatcher({ ...deps, timings, ...own, clock: { now: () => after(seconds) } })
}

async function scheduled(template: EnabledTemplateOverrides = {}) {
  const sender = await makeBatchShop(running, 1_000_000, template)
  const made = await sender.shop.post(BATCHES, batchTo(sender, phones(1), { scheduledAt }))
  expect(made.status).toBe(202)
  return sender
}

it('G-27 a deferral whose commit was not heard of leaves alone who has the message next: sent and charged once', async () => {
  const sender = await scheduled()
  const { calls, platform } = answering(
    async () => night,
    async () => {
      await answered.promise
      return taken
    },
  )
  const answered = Promise.withResolvers<void>()
  const second = dispatcherAt(61, { platform })
  const db = failingTransactions(deps.db, (n) =>
    n === 0 ? { after: () => second.round().then(broken) } : undefined,
  )
  const first = dispatcherAt(1, { platform, db })
  await first.round()
  await first.settled()
  expect(await messageRows(running, sender.shop.shopId)).toMatchObject([{ state: 'SENDING' }])
  answered.resolve()
  await second.settled()
  expect(await messageRows(running, sender.shop.shopId)).toMatchObject([
    { state: 'RECEIVED', session_id: '1' },
  ])
  await dispatcherAt(120, { platform }).round()
  expect(calls.count).toBe(2)
  expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold', 'capture'])
  await checkInvariants(deps.db, sender.shop.shopId)
})

it('G-27 a message deferred while the database is away is put back once it is there, and goes then', async () => {
  const sender = await scheduled()
  const { calls, platform } = answering(
    async () => night,
    async () => taken,
  )
  const db = failingTransactions(deps.db, (n) => (n < 6 ? { before: broken() } : undefined))
  const first = dispatcherAt(1, { platform, db })
  await first.round()
  await first.settled()
  await expect
    .poll(() => messageRows(running, sender.shop.shopId))
    .toMatchObject([{ state: 'QUEUED', waiting_reason: 'NIGHT_WINDOW' }])
  const second = dispatcherAt(61, { platform })
  await second.round()
  await second.settled()
  expect(await messageRows(running, sender.shop.shopId)).toMatchObject([{ state: 'RECEIVED' }])
  expect(calls.count).toBe(2)
})

it('G-77 a message that an opt-out had to pass over, since it was locked, is not sent by whichever process claims it then', async () => {
  const sender = await scheduled({ tag: '3' })
  const { calls, platform } = answering()
  // As it stands after an opt-out beside a cancellation that was rolled back.
  const [queued] = await messageRows(running, sender.shop.shopId)
  await insertConsent(deps.db, sender.shop.shopId, {
    id: deps.ids.next(),
    channel: 'phone',
    recipient: queued.phone,
    status: 'withdrawn',
    source: 'quầy',
    said_at: after(-60),
    actor: 'key',
    actor_id: deps.ids.next(),
    created_at: after(-60),
  })
  const dispatcher = dispatcherAt(1, { platform })
  await dispatcher.round()
  await dispatcher.settled()
  expect(calls.count).toBe(0)
  expect(await messageRows(running, sender.shop.shopId)).toMatchObject([
    { state: 'ERROR', error_code: 'OPTED_OUT' },
  ])
  expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold', 'release'])
  await checkInvariants(deps.db, sender.shop.shopId)
})
