import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AverageCost, averageAfterReceipt, totalCostOf, unitCostOf } from './average-cost.ts'

const NONE: AverageCost = { value: 0, pieces: 0 }
const receipt = fc.record({ quantity: fc.integer({ min: 1, max: 100_000 }), unitCost: fc.nat(50_000_000) })

describe('G-38 the moving average cost', () => {
  it('weighs stock on hand against stock received', () => {
    const first = averageAfterReceipt(NONE, 0, { quantity: 10, unitCost: 20_000 })
    expect(unitCostOf(first)).toBe(20_000)
    const second = averageAfterReceipt(first, 10, { quantity: 30, unitCost: 24_000 })
    expect(second).toEqual({ value: 920_000, pieces: 40 })
    expect(unitCostOf(second)).toBe(23_000)
    // 35 of the 40 pieces were sold in the meantime: 5 × 23.000 + 5 × 30.000 over 10 pieces.
    expect(unitCostOf(averageAfterReceipt(second, 5, { quantity: 5, unitCost: 30_000 }))).toBe(26_500)
  })

  it('is the new cost where nothing was on hand, where less than nothing was, and where no cost was known', () => {
    const before = { value: 1_000_000, pieces: 10 }
    const came = { quantity: 3, unitCost: 7_000 }
    for (const onHand of [0, -1, -50])
      expect(unitCostOf(averageAfterReceipt(before, onHand, came))).toBe(7_000)
    expect(unitCostOf(averageAfterReceipt(NONE, 40, came))).toBe(7_000)
    expect(unitCostOf(NONE)).toBe(null)
  })

  it('keeps every đồng that was paid while nothing is taken out, whatever the order of receipts', () => {
    fc.assert(
      fc.property(fc.array(receipt, { minLength: 1, maxLength: 20 }), (receipts) => {
        let now = NONE
        for (const one of receipts) now = averageAfterReceipt(now, now.pieces, one)
        expect(now.value).toBe(totalCostOf(receipts))
        expect(now.pieces).toBe(receipts.reduce((sum, { quantity }) => sum + quantity, 0))
      }),
    )
  })

  it('rounds by at most half a đồng over all stock on hand, and lies between the two unit costs', () => {
    fc.assert(
      fc.property(receipt, fc.integer({ min: 1, max: 100_000 }), receipt, (first, onHand, second) => {
        const before = averageAfterReceipt(NONE, 0, first)
        const after = averageAfterReceipt(before, onHand, second)
        const paid = second.quantity * second.unitCost
        const exact = 2n * BigInt(before.value) * BigInt(onHand)
        const kept = 2n * BigInt(after.value - paid) * BigInt(before.pieces)
        expect(kept - exact <= BigInt(before.pieces) && exact - kept <= BigInt(before.pieces)).toBe(true)
        const [least, most] = [first.unitCost, second.unitCost].toSorted((a, b) => a - b)
        expect(unitCostOf(after)).toBeGreaterThanOrEqual(least!)
        expect(unitCostOf(after)).toBeLessThanOrEqual(most!)
      }),
    )
  })

  it('refuses amounts that are not safe integers', () => {
    const refusal = expect.objectContaining({ code: 'AMOUNT_TOO_LARGE' })
    expect(() => averageAfterReceipt(NONE, 0, { quantity: 1e9, unitCost: 1e12 })).toThrow(refusal)
    const large = { value: Number.MAX_SAFE_INTEGER, pieces: 1 }
    expect(() => averageAfterReceipt(large, 2, { quantity: 1, unitCost: 0 })).toThrow(refusal)
    expect(() => totalCostOf([{ quantity: 1e9, unitCost: 1e12 }])).toThrow(refusal)
    expect(unitCostOf(large)).toBe(Number.MAX_SAFE_INTEGER)
  })
})
