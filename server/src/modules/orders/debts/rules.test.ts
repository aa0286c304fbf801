import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refused } from '../../../errors.ts'
import { spreadPayment } from './rules.ts'

const owedOrders = fc
  .array(fc.integer({ min: 1, max: 9_000_000 }), { minLength: 1, maxLength: 30 })
  .map((lefts) => lefts.map((left, at) => ({ id: String(at).padStart(24, '0'), left })))
const sumOf = (amounts: number[]) => amounts.reduce((sum, one) => sum + one, 0)

describe('G-46 a payment spread over what is owed', () => {
  it('adds up; the oldest orders are paid in full, the last of them may be in part, the others get nothing', () => {
    const owedAndPaid = owedOrders.chain((owed) =>
      fc.record({
        owed: fc.constant(owed),
        amount: fc.integer({ min: 1, max: sumOf(owed.map(({ left }) => left)) }),
      }),
    )
    fc.assert(
      fc.property(owedAndPaid, ({ owed, amount }) => {
        const parts = spreadPayment(amount, owed, false)
        expect(sumOf(parts.map((part) => part.amount))).toBe(amount)
        expect(parts.map(({ id }) => id)).toEqual(owed.slice(0, parts.length).map(({ id }) => id))
        for (const [at, part] of parts.entries()) {
          const { left } = owed[at]!
          expect(part.amount).toBeGreaterThan(0)
          if (at < parts.length - 1) expect(part.amount).toBe(left)
          else expect(part.amount).toBeLessThanOrEqual(left)
        }
      }),
    )
  })

  it('is refused above the debt, whatever the orders', () => {
    fc.assert(
      fc.property(fc.oneof(owedOrders, fc.constant([])), fc.integer({ min: 1, max: 1_000 }), (owed, more) => {
        const debt = sumOf(owed.map(({ left }) => left))
        expect(() => spreadPayment(debt + more, owed, false)).toThrow(
          new Refused('PAYMENT_ABOVE_DEBT', { amount: debt + more, debt }),
        )
        expect(() => spreadPayment(debt + more, owed, true)).toThrow(
          new Refused('PAYMENT_ABOVE_ORDERS', { orders: owed.length, most: debt }),
        )
      }),
    )
  })
})
