import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountOfPieces, leftOfLines, returnOf, type SoldLine } from './rules.ts'

const line = (id: string, quantity: number, price: number, more: Partial<SoldLine> = {}): SoldLine => ({
  id,
  name: `Hàng ${id}`,
  quantity,
  price,
  discount: 0,
  returnedQuantity: 0,
  returnedAmount: 0,
  ...more,
})
const completed = { status: 'completed', returned_amount: 0, is_paid: true } as const

describe('G-123 what a return of goods comes to', () => {
  it('gives back what the pieces cost after all discounts, and nothing of the shipping fee', () => {
    // 300,000 of goods, 30,000 off the whole order, 20,000 for shipping.
    const lines = [line('a', 2, 100_000), line('b', 1, 150_000, { discount: 50_000 })]
    const lefts = leftOfLines({ price: 290_000, shippingFee: 20_000 }, lines)
    expect(lefts).toEqual([
      { quantity: 2, amount: 180_000 },
      { quantity: 1, amount: 90_000 },
    ])
    const order = { ...completed, price: 290_000, paid_amount: 290_000 }
    const asked = { lines: [{ orderItemId: 'a', quantity: 1 }], fee: 10_000, refundAmount: 80_000 }
    expect(returnOf(order, lines, lefts, asked)).toEqual({
      lines: [{ orderItemId: 'a', quantity: 1, amount: 90_000 }],
      amount: 80_000,
      paidAmount: 210_000,
      payment: { change: -80_000, isPaid: true, paymentStatus: 'paid' },
    })
  })

  it('of an order without lines is nothing', () => {
    expect(leftOfLines({ price: 100, shippingFee: 0 }, [])).toEqual([])
  })

  it('refuses an order that is not completed, more pieces than are left, a refund above what is paid too much', () => {
    const lines = [line('a', 2, 100, { returnedQuantity: 1, returnedAmount: 100 })]
    const lefts = leftOfLines({ price: 200, shippingFee: 0 }, lines)
    const order = { ...completed, price: 200, returned_amount: 100, paid_amount: 50, is_paid: false }
    const asked = (quantity: number, more = {}) => ({
      lines: [{ orderItemId: 'a', quantity }],
      fee: 0,
      refundAmount: 0,
      ...more,
    })
    expect(() => returnOf({ ...order, status: 'delivered' }, lines, lefts, asked(1))).toThrow(
      'ORDER_NOT_RETURNABLE',
    )
    expect(() => returnOf(order, lines, lefts, asked(2))).toThrow('RETURN_ABOVE_SOLD')
    expect(() => returnOf(order, lines, lefts, asked(1, { refundAmount: 51 }))).toThrow('REFUND_ABOVE_CREDIT')
    expect(returnOf(order, lines, lefts, asked(1, { refundAmount: 50 })).payment).toEqual({
      change: -50,
      isPaid: true,
      paymentStatus: 'paid',
    })
  })

  it('whatever is returned in whatever steps, all pieces together give back what the goods cost, and no step more than is left', () => {
    const sold = fc.record({
      quantity: fc.integer({ min: 1, max: 12 }),
      price: fc.integer({ min: 0, max: 2_000_000 }),
      discount: fc.integer({ min: 0, max: 3_000_000 }),
    })
    fc.assert(
      fc.property(
        fc.array(sold, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 5_000_000 }),
        fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 40 }),
        (drafts, discount, steps) => {
          const lines = drafts.map(({ quantity, price, discount: off }, index) =>
            line(String(index), quantity, price, { discount: off }),
          )
          const gross = lines.reduce(
            (sum, each) => sum + Math.max(0, each.quantity * each.price - each.discount),
            0,
          )
          const goods = Math.max(0, gross - discount)
          const order = { price: goods + 25_000, shippingFee: 25_000 }
          const take = (place: number, pieces: number) => {
            const left = leftOfLines(order, lines)[place]!
            if (left.quantity === 0) return
            const quantity = 1 + (pieces % left.quantity)
            const amount = amountOfPieces(left, quantity)
            expect(amount).toBeGreaterThanOrEqual(0)
            expect(amount).toBeLessThanOrEqual(left.amount)
            lines[place]!.returnedQuantity += quantity
            lines[place]!.returnedAmount += amount
          }
          for (const [place, pieces] of steps) take(place % lines.length, pieces)
          const left = leftOfLines(order, lines).reduce((sum, { amount }) => sum + amount, 0)
          expect(lines.reduce((sum, each) => sum + each.returnedAmount, left)).toBe(goods)
          for (const [place] of lines.entries()) {
            const { quantity } = leftOfLines(order, lines)[place]!
            if (quantity > 0) take(place, quantity - 1)
          }
          expect(lines.reduce((sum, each) => sum + each.returnedAmount, 0)).toBe(goods)
        },
      ),
    )
  })
})
