import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectedCash, type MethodSum } from './rules.ts'

describe('G-40 the cash that a drawer should have', () => {
  it('is what it had, what came in and went out, and the payments in cash alone, however a till names them', () => {
    const methods: MethodSum[] = [
      { method: 'card', taken: 9_000_000, refunded: 0, payments: 3 },
      { method: 'cash', taken: 200_000, refunded: 20_000, payments: 3 },
      { method: 'Tiền mặt', taken: 90_000, refunded: 0, payments: 1 },
      { method: ' CASH', taken: 10_000, refunded: 0, payments: 1 },
    ]
    expect(expectedCash({ openingCash: 500_000, cashIn: 40_000, cashOut: 15_000, methods })).toBe(805_000)
    expect(expectedCash({ openingCash: 0, cashIn: 0, cashOut: 15_000, methods: [] })).toBe(-15_000)
  })

  it('does not depend on any other method', () => {
    const sum = fc.record({
      method: fc.constantFrom('', 'cashback', 'card', 'transfer', 'cod', 'Chuyển khoản'),
      taken: fc.nat(),
      refunded: fc.nat(),
      payments: fc.nat(),
    })
    fc.assert(
      fc.property(fc.array(sum), fc.nat(), (methods, openingCash) => {
        expect(expectedCash({ openingCash, cashIn: 0, cashOut: 0, methods })).toBe(openingCash)
      }),
    )
  })
})
