import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { acceptBatch } from '../../src/modules/messages/batches/accept-batch.ts'
import { cancelQueuedMessages } from '../../src/modules/messages/batches/cancel-batch.ts'
import { createDispatcher } from '../../src/modules/messages/batches/dispatch.ts'
import { claimQueuedMessages } from '../../src/modules/messages/batches/queue-sql.ts'
import { MAX_DEFERRALS } from '../../src/modules/messages/batches/rules.ts'
import { recoverMessages } from '../../src/modules/messages/outcome/recover-messages.ts'
import { settleUnknownMessages } from '../../src/modules/messages/outcome/settle-unknown.ts'
import type { MessageUnderWay } from '../../src/modules/messages/outgoing.ts'
import { acceptMessage, transmitMessage } from '../../src/modules/messages/send/send-message.ts'
import type { PlatformOutcome } from '../../src/platform/types.ts'
import { checkInvariants } from '../support/invariants.ts'
import { applyReceipt } from '../support/senders.ts'
import { makeShop, separateService } from '../support/service.ts'
import { control, insertEnabledTemplate, topUp } from '../support/templates.ts'

const running = await separateService({ platformRatePerMinute: 0 })
const { deps } = running
// The platform soon cuts a call that hangs, because a short time-out of our own would sometimes be too short for any
// call.
await control(running, '/settings', { suppressEvents: true, hangMs: 30 })

const FEE = 200
/** Enough for a message and a half, so that a late charge finds too little. */
const FIRST_MONEY = 300
const DAY_MS = 86_400_000

/** A message in the model. `ending` decides what the platform does with it. */
type Modelled = {
  id: string
  ending: string
  channel: 'phone' | 'uid'
  state: 'QUEUED' | 'SENDING' | 'UNKNOWN' | 'RECEIVED' | 'ERROR'
  /** The index of its batch. */
  batch: number | undefined
  deferrals: number
  /** How often it was handed over; 0 if its process died before. */
  attempts: number
  isResent: boolean
  /** Whether it never reached the platform: refused or cancelled. */
  isRefused: boolean
  isLate: boolean
}

type Model = { balance: number; held: number; owed: number; messages: Modelled[]; batches: string[] }

const TAKEN = '9999'
const REFUSED = '0001'
/** Unknown at the first attempt, accepted at the second. */
const FAILS_ONCE = '0007'
const LOST = '0006'
/** Refused until the morning, so a queued message waits until then. */
const NIGHT = '0009'

const ending = fc.constantFrom(TAKEN, REFUSED, FAILS_ONCE, FAILS_ONCE, LOST, NIGHT)
const channel = fc.constantFrom('phone' as const, 'phone' as const, 'uid' as const)
/** The most messages that the dispatcher sends for one shop at a time, so one round takes all of them. */
const MOST_QUEUED = 8

const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('top up' as const), amount: fc.integer({ min: 1, max: 500 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      ending,
      channel,
      // Its process dies before or after the call to the platform, or its receipt comes before the response.
      fate: fc.constantFrom(
        'lives' as const,
        'lives' as const,
        'dies before' as const,
        'receipt first' as const,
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('receipt' as const),
      of: fc.nat(3),
      copies: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('batch' as const),
      rows: fc.array(fc.record({ ending, channel }), { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('dispatch' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('claim and die' as const), of: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), of: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('recover' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('time passes' as const),
      policy: fc.constantFrom('release' as const, 'resend-once' as const),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function newMessage(
  given: Pick<Modelled, 'id' | 'ending' | 'channel'>,
  state: 'QUEUED' | 'SENDING',
  batch?: number,
): Modelled {
  const unused = { deferrals: 0, attempts: 0, isResent: false, isRefused: false, isLate: false }
  return { ...given, state, batch, ...unused }
}

/** A receipt. For a UID it names only the platform's message, which we know only after the response. */
function applyToModel(model: Model, message: Modelled): void {
  if (message.channel === 'uid') return
  if (message.state === 'SENDING' || message.state === 'UNKNOWN') {
    message.state = 'RECEIVED'
    model.held -= FEE
  } else if (message.state === 'ERROR' && !message.isRefused) {
    const charged = Math.min(FEE, model.balance)
    message.state = 'RECEIVED'
    message.isLate = true
    model.balance -= charged
    model.owed += FEE - charged
  }
}

/** What handing a message over does, the first or the second time. */
function answerOf(message: Modelled): 'taken' | 'refused' | 'unknown' {
  message.attempts += 1
  if (message.ending === TAKEN) return 'taken'
  if (message.ending === REFUSED || message.ending === NIGHT) return 'refused'
  return message.ending === FAILS_ONCE && message.attempts > 1 ? 'taken' : 'unknown'
}

function settleInModel(model: Model, message: Modelled, answer: 'taken' | 'refused' | 'unknown'): void {
  if (message.state !== 'SENDING' && message.state !== 'UNKNOWN') return
  if (answer === 'taken') {
    message.state = 'RECEIVED'
    model.held -= FEE
  } else if (answer === 'refused') {
    message.state = 'ERROR'
    message.isRefused = !message.isResent
    model.held -= FEE
    model.balance += FEE
  } else {
    message.state = 'UNKNOWN'
  }
}

function dispatchInModel(model: Model): void {
  for (const message of model.messages) {
    if (message.state !== 'QUEUED') continue
    if (message.ending === NIGHT && message.deferrals + 1 < MAX_DEFERRALS) {
      message.deferrals += 1
      continue
    }
    message.state = 'SENDING'
    settleInModel(model, message, answerOf(message))
  }
}

function cancelInModel(model: Model, batch: number): void {
  for (const message of model.messages) {
    if (message.batch !== batch || message.state !== 'QUEUED') continue
    message.state = 'ERROR'
    message.isRefused = true
    model.held -= FEE
    model.balance += FEE
  }
}

function timePassesInModel(model: Model, policy: 'release' | 'resend-once'): void {
  for (const message of model.messages) {
    if (message.state !== 'UNKNOWN') continue
    if (policy === 'resend-once' && message.channel === 'phone' && !message.isResent) {
      message.isResent = true
      settleInModel(model, message, answerOf(message))
    } else {
      message.state = 'ERROR'
      model.held -= FEE
      model.balance += FEE
    }
  }
}

describe('G-26 G-27 wallet and states against a model', () => {
  it('any sequence of sends, batches, cancellations, deaths, receipts and timeouts leaves money and messages where the model says', async () => {
    let offsetMs = 0
    const at = (policy: 'release' | 'resend-once' = 'release'): Deps => ({
      ...deps,
      config: { ...deps.config, unknown: { ...deps.config.unknown, policy } },
      clock: { now: () => new Date(Date.now() + offsetMs) },
      platform: {
        ...deps.platform,
        sendToPhone: async (...call) => later(await deps.platform.sendToPhone(...call)),
        sendToUid: async (...call) => later(await deps.platform.sendToUid(...call)),
      },
    })
    /** Moves the platform's morning, which follows the real clock, to half a day after the model's clock. */
    function later<T>(outcome: PlatformOutcome<T>): PlatformOutcome<T> {
      if (outcome.kind !== 'rejected' || outcome.retryAt === undefined) return outcome
      return { ...outcome, retryAt: new Date(Date.now() + offsetMs + DAY_MS / 2) }
    }
    async function hasDueBatch(shopId: string): Promise<boolean> {
      const { rows } = await sql`
        select id from message_batches
        where shop_id = ${shopId} and is_open and due_at <= ${at().clock.now()}`.execute(deps.db)
      return rows.length > 0
    }

    async function play(steps: Step[]): Promise<void> {
      const shop = await makeShop(running)
      const params = [{ key: 'name', label: 'Tên', techSetting: '1', maxLength: 30, sampleValue: 'An' }]
      const template = await insertEnabledTemplate(running, shop.shopId, { params, priceUid: FEE })
      const model: Model = { balance: FIRST_MONEY, held: 0, owed: 0, messages: [], batches: [] }
      await topUp(running, shop.shopId, FIRST_MONEY)
      const receipt = ({ id, channel }: Modelled) =>
        applyReceipt(at(), template.oaId, {
          kind: 'receipt',
          ...(channel === 'phone' ? { trackingId: id } : {}),
          msgId: `of-${id}`,
          deliveredAt: new Date(),
        })
      // Each message has its own UID, because the simulator cannot distinguish messages to one UID.
      const recipientOf = (one: Pick<Modelled, 'channel' | 'ending'>) =>
        one.channel === 'phone'
          ? { phone: `8490123${one.ending}`, userUid: '' }
          : { phone: '', userUid: `uid-${deps.ids.next()}-${one.ending}` }
      const batchAt = (place: number) => model.batches[place % Math.max(1, model.batches.length)]

      for (const next of steps) {
        switch (next.do) {
          case 'top up':
            await topUp(running, shop.shopId, next.amount)
            model.balance += next.amount
            break
          case 'send': {
            const request = {
              templateId: template.id,
              channel: next.channel,
              ...recipientOf(next),
              isSample: false,
              params: { name: 'An' },
              paramsPath: ['params'],
            }
            const accepted: MessageUnderWay | undefined = await acceptMessage(
              at(),
              shop.shopId,
              request,
            ).catch((error: { code?: string }) => {
              expect(error.code).toBe('WALLET_TOO_LOW')
              return undefined
            })
            expect(accepted !== undefined).toBe(model.balance >= FEE)
            if (accepted === undefined) break
            model.balance -= FEE
            model.held += FEE
            const message = newMessage({ id: accepted.id, ...next }, 'SENDING')
            model.messages.push(message)
            if (next.fate === 'dies before') break
            if (next.fate === 'receipt first') {
              await receipt(message)
              applyToModel(model, message)
            }
            await transmitMessage(at(), shop.shopId, accepted)
            settleInModel(model, message, answerOf(message))
            break
          }
          case 'receipt': {
            const message = model.messages[next.of]
            if (message === undefined) break
            await Promise.all(Array.from({ length: next.copies }, () => receipt(message)))
            applyToModel(model, message)
            break
          }
          case 'batch': {
            const queued = model.messages.filter((message) => message.state === 'QUEUED').length
            if (queued + next.rows.length > MOST_QUEUED) break
            const batchId = deps.ids.next()
            const messages = next.rows.map((row) => {
              const { phone, userUid } = recipientOf(row)
              const params = { name: 'An' }
              return row.channel === 'phone' ? { receiverPhone: phone, params } : { userUID: userUid, params }
            })
            // Later than the service's own dispatcher looks, whose clock is the real one.
            const scheduledAt = new Date(at().clock.now().getTime() + DAY_MS)
            const plan = { templateId: template.id, name: '', scheduledAt, messages }
            await acceptBatch(at(), shop.shopId, batchId, plan, ({ code }) => code)
            const { rows } = await sql<{ id: string }>`
              select id from messages
              where shop_id = ${shop.shopId} and batch_id = ${batchId}
              order by id`.execute(deps.db)
            const affordable = Math.min(next.rows.length, Math.floor(model.balance / FEE))
            expect(rows.length).toBe(affordable)
            for (const [place, { id }] of rows.entries()) {
              model.messages.push(newMessage({ id, ...next.rows[place]! }, 'QUEUED', model.batches.length))
              model.balance -= FEE
              model.held += FEE
            }
            model.batches.push(batchId)
            break
          }
          case 'dispatch': {
            offsetMs += 2 * DAY_MS
            const dispatcher = createDispatcher(at())
            while (await hasDueBatch(shop.shopId)) {
              await dispatcher.round()
              await dispatcher.settled()
            }
            dispatchInModel(model)
            break
          }
          case 'claim and die': {
            const batchId = batchAt(next.of)
            if (batchId === undefined) break
            offsetMs += 2 * DAY_MS
            const now = at().clock.now()
            const shares = [{ shopId: shop.shopId, batchId, count: MOST_QUEUED }]
            const leaseUntil = new Date(now.getTime() + 60_000)
            await claimQueuedMessages(deps.db, shares, { leaseUntil, senderId: null, exemptTags: [], now })
            for (const message of model.messages) {
              const isClaimed = message.state === 'QUEUED' && model.batches[message.batch!] === batchId
              if (isClaimed) message.state = 'SENDING'
            }
            break
          }
          case 'cancel': {
            const batchId = batchAt(next.of)
            if (batchId === undefined) break
            await cancelQueuedMessages(at(), shop.shopId, batchId)
            cancelInModel(model, model.batches.indexOf(batchId))
            break
          }
          case 'recover':
            offsetMs += 120_000
            await recoverMessages(at())
            for (const message of model.messages) if (message.state === 'SENDING') message.state = 'UNKNOWN'
            break
          case 'time passes':
            offsetMs += 2 * DAY_MS
            await settleUnknownMessages(at(next.policy))
            timePassesInModel(model, next.policy)
        }
      }

      expect((await shop.get('/api/external/wallet')).body).toEqual({
        balance: model.balance,
        held: model.held,
      })
      const { rows } = await sql<{ id: string; state: string; is_late: boolean }>`
        select id, state, is_late from messages
        where shop_id = ${shop.shopId}
        order by id`.execute(deps.db)
      const expected = model.messages.map(({ id, state, isLate }) => ({ id, state, is_late: isLate }))
      expect(rows).toEqual(expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
      const owed = await sql<{ owed: number }>`
        select coalesce(sum(owed), 0)::bigint as owed from wallet_entries
        where shop_id = ${shop.shopId}`.execute(deps.db)
      expect(owed.rows[0]?.owed).toBe(model.owed)
      await checkInvariants(deps.db, shop.shopId)
      // The next sequence must have the dispatcher for itself.
      for (const batchId of model.batches) await cancelQueuedMessages(at(), shop.shopId, batchId)
    }

    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20, size: 'max' }), play), {
      numRuns: 30,
    })
    await checkInvariants(deps.db)
  }, 120_000)
})
