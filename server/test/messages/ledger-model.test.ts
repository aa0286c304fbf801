import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkInvariants } from '../support/invariants.ts'
import { applyReceipt, makeSender, receipt, rowsOf, sendTo, sendToUid, walletOf } from '../support/senders.ts'
import { topUp } from '../support/templates.ts'
import { deafService } from '../support/unknown-messages.ts'

const running = await deafService()
const { deps } = running

type Step =
  | { do: 'top up'; amount: number }
  | { do: 'phone' | 'uid'; ending: string }
  | { do: 'receipt'; of: number; by: 'tracking' | 'session' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('top up' as const), amount: fc.integer({ min: 1, max: 500 }) }),
  fc.record({
    do: fc.constantFrom('phone' as const, 'uid' as const),
    ending: fc.constantFrom('9999', '0001', '0003', '0007'),
  }),
  fc.record({
    do: fc.constant('receipt' as const),
    of: fc.nat(20),
    by: fc.constantFrom('tracking' as const, 'session' as const),
  }),
)

describe('G-26 the ledger against a model', () => {
  it('after any sequence of top-ups, sends and receipts, money is where the model says', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
        run += 1
        const sender = await makeSender(running, {}, 0)
        const model = { balance: 0, held: 0, states: [] as string[] }
        for (const [n, next] of steps.entries()) {
          if (next.do === 'top up') {
            await topUp(running, sender.shop.shopId, next.amount)
            model.balance += next.amount
          } else if (next.do === 'receipt') {
            const rows = await rowsOf(running, sender.shop)
            const row = rows[next.of]
            if (row === undefined) continue
            const event = receipt({
              msgId: row.session_id || `late-${row.id}`,
              ...(next.by === 'tracking' ? { trackingId: row.id } : {}),
            })
            await applyReceipt(deps, sender.template.oaId, event)
            if (next.by === 'tracking' && model.states[next.of] === 'UNKNOWN') {
              model.states[next.of] = 'RECEIVED'
              model.held -= row.fee
            }
          } else {
            const fee = next.do === 'phone' ? 200 : 55
            const answer =
              next.do === 'phone'
                ? await sendTo(sender, `090123${next.ending}`)
                : await sendToUid(sender, `${run}-${n}-${sender.shop.shopId}${next.ending}`.slice(-40))
            if (model.balance < fee) {
              expect(answer.body.code).toBe('WALLET_TOO_LOW')
            } else if (next.ending === '0001') {
              expect(answer.status).toBe(400)
              model.states.push('ERROR')
            } else {
              const isUnknown = next.ending === '0007' && (next.do === 'phone' || answer.status === 202)
              expect(answer.status).toBe(isUnknown ? 202 : 200)
              model.states.push(isUnknown ? 'UNKNOWN' : 'RECEIVED')
              model.balance -= fee
              if (isUnknown) model.held += fee
            }
          }
        }
        expect(await walletOf(sender.shop)).toEqual({ balance: model.balance, held: model.held })
        expect((await rowsOf(running, sender.shop)).map((row) => row.state)).toEqual(model.states)
        const history = await sender.shop.get('/api/external/notify-message/history?offset=100')
        const ended = model.states.filter((state) => state !== 'UNKNOWN').toReversed()
        expect(history.body.histories.map((record: { status: string }) => record.status)).toEqual(ended)
        expect(history.body.meta.total).toBe(ended.length)
      }),
      { numRuns: 20 },
    )
    await checkInvariants(deps.db)
  }, 60_000)
})
