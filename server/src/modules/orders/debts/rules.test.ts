import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refused } from '../../../errors.ts'
import { spreadPayment } from './rules.ts'

const owedOrders = fc
  .array(fc.integer({ min: 1, max: 9_000_000 }), { minLength: 1, maxLength: 30 })
  .map((lefts) => lefts.map((left, at) => ({ id: String(at).padStart(24, '0'), left })))
const opening = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9_000_000 }))
const sumOf = (amounts: number[]) => amounts.reduce((sum, one) => sum + one, 0)

describe('G-46, G-124 a payment spread over what is owed', () => {
  it('adds up; the oldest orders are paid in full, the last of them may be in part, the others get nothing', () => {
    const owedAndPaid = fc.tuple(owedOrders, opening).chain(([owed, before]) =>
      fc.record({
        owed: fc.constant(owed),
        before: fc.constant(before),
        amount: fc.integer({ min: 1, max: before + sumOf(owed.map(({ left }) => left)) }),
      }),
    )
    fc.assert(
      fc.property(owedAndPaid, ({ owed, before, amount }) => {
        const { opening, parts } = spreadPayment(amount, { opening: before, owed, isCut: false })
        expect(opening + sumOf(parts.map((part) => part.amount))).toBe(amount)
        expect(opening).toBe(Math.min(before, amount))
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
      fc.property(
        fc.oneof(owedOrders, fc.constant([])),
        opening,
        fc.integer({ min: 1, max: 1_000 }),
        (owed, before, more) => {
          const debt = before + sumOf(owed.map(({ left }) => left))
          expect(() => spreadPayment(debt + more, { opening: before, owed, isCut: false })).toThrow(
            new Refused('PAYMENT_ABOVE_DEBT', { amount: debt + more, debt }),
          )
          expect(() => spreadPayment(debt + more, { opening: before, owed, isCut: true })).toThrow(
            new Refused('PAYMENT_ABOVE_ORDERS', { orders: owed.length, most: debt }),
          )
        },
      ),
    )
  })
})
