import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { applyReceipt } from '../../src/modules/messages/receive-receipt.ts'
import { recoverMessages } from '../../src/modules/messages/recover-messages.ts'
import {
  acceptMessage,
  type MessageUnderWay,
  transmitMessage,
} from '../../src/modules/messages/send-message.ts'
import { settleUnknownMessages } from '../../src/modules/messages/settle-unknown.ts'
import { checkInvariants } from '../support/invariants.ts'
import { makeShop, separateService } from '../support/service.ts'
import { control, insertEnabledTemplate, topUp } from '../support/templates.ts'

const running = await separateService({}, { platformTimeoutMs: 100 })
const { deps } = running
await control(running, '/settings', { suppressEvents: true })

const FEE = 200
/** Enough for a message and a half, so that a late one finds too little. */
const FIRST_MONEY = 300
const DAY_MS = 86_400_000

/** A message as the model knows it. `ending` decides what the platform does with it. */
type Modelled = {
  id: string
  ending: string
  state: 'SENDING' | 'UNKNOWN' | 'RECEIVED' | 'ERROR'
  /** What has been handed over: 0 while its process died before. */
  attempts: number
  isResent: boolean
  isRefused: boolean
  isLate: boolean
}

type Model = { balance: number; held: number; owed: number; messages: Modelled[] }

const TAKEN = '9999'
const REFUSED = '0001'
/** Unknown on the first try, taken on the second. */
const FAILS_ONCE = '0007'
const LOST = '0006'

const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('top up' as const), amount: fc.integer({ min: 1, max: 500 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      ending: fc.constantFrom(TAKEN, REFUSED, FAILS_ONCE, FAILS_ONCE, LOST),
      // Its process dies before the platform is called, after it was, or its receipt overtakes the answer.
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

function applyToModel(model: Model, message: Modelled): void {
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

/** What handing a message over does, for the first or the second time. */
function answerOf(message: Modelled): 'taken' | 'refused' | 'unknown' {
  message.attempts += 1
  if (message.ending === TAKEN) return 'taken'
  if (message.ending === REFUSED) return 'refused'
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

function timePassesInModel(model: Model, policy: 'release' | 'resend-once'): void {
  for (const message of model.messages) {
    if (message.state !== 'UNKNOWN') continue
    if (policy === 'resend-once' && !message.isResent) {
      message.isResent = true
      settleInModel(model, message, answerOf(message))
    } else {
      message.state = 'ERROR'
      model.held -= FEE
      model.balance += FEE
    }
  }
}

describe('G-26 wallet and states against a model', () => {
  it('any sequence of sends, deaths, receipts and timeouts leaves money and messages where the model says', async () => {
    let offsetMs = 0
    const at = (policy: 'release' | 'resend-once' = 'release'): Deps => ({
      ...deps,
      config: { ...deps.config, unknown: { ...deps.config.unknown, policy } },
      clock: { now: () => new Date(Date.now() + offsetMs) },
    })

    async function play(steps: Step[]): Promise<void> {
      const shop = await makeShop(running)
      const params = [{ key: 'name', label: 'Tên', techSetting: '1', maxLength: 30, sampleValue: 'An' }]
      const template = await insertEnabledTemplate(running, shop.shopId, { params })
      const model: Model = { balance: FIRST_MONEY, held: 0, owed: 0, messages: [] }
      await topUp(running, shop.shopId, FIRST_MONEY)
      const receipt = (id: string) =>
        applyReceipt(at(), template.oaId, {
          kind: 'receipt',
          trackingId: id,
          msgId: `of-${id}`,
          deliveredAt: new Date(),
        })

      for (const next of steps) {
        switch (next.do) {
          case 'top up':
            await topUp(running, shop.shopId, next.amount)
            model.balance += next.amount
            break
          case 'send': {
            const request = {
              templateId: template.id,
              channel: 'phone' as const,
              phone: `8490123${next.ending}`,
              userUid: '',
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
            const message: Modelled = {
              id: accepted.id,
              ending: next.ending,
              state: 'SENDING',
              attempts: 0,
              isResent: false,
              isRefused: false,
              isLate: false,
            }
            model.messages.push(message)
            if (next.fate === 'dies before') break
            if (next.fate === 'receipt first') {
              await receipt(accepted.id)
              applyToModel(model, message)
            }
            await transmitMessage(at(), shop.shopId, accepted)
            settleInModel(model, message, answerOf(message))
            break
          }
          case 'receipt': {
            const message = model.messages[next.of]
            if (message === undefined) break
            await Promise.all(Array.from({ length: next.copies }, () => receipt(message.id)))
            applyToModel(model, message)
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
    }

    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20, size: 'max' }), play), {
      numRuns: 30,
    })
    await checkInvariants(deps.db)
  }, 120_000)
})
