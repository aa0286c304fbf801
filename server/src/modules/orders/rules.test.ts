import { describe, expect, it } from 'vitest'
import { Refused } from '../../errors.ts'
import { lineName } from '../../lib/line-name.ts'
import {
  type AskedOrder,
  dateOfSale,
  movesTo,
  ORDER_STATUSES,
  outOfStock,
  paymentOf,
  priceOrder,
  readStatus,
  type Sellable,
} from './rules.ts'

const shirt: Sellable = { name: 'M', price: 108_000, vatBasisPoints: 800, productName: 'Áo' }
const order = (rest: Partial<AskedOrder> = {}): AskedOrder => ({
  orderItems: [{ id: 'a', quantity: 1 }],
  ...rest,
})

describe('G-40 date of a sale', () => {
  const now = new Date('2026-11-26T03:00:00Z')
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000)

  it('is when it was sold, also weeks ago; now if it was not kept', () => {
    expect(dateOfSale(undefined, now)).toEqual(now)
    expect(dateOfSale(before(0), now)).toEqual(now)
    expect(dateOfSale(before(30 * 86_400), now)).toEqual(before(30 * 86_400))
  })

  it('is now for an age of more than 30 days, which only a wrong clock gives', () => {
    expect(dateOfSale(before(30 * 86_400 + 1), now)).toEqual(now)
  })
})

describe('G-40 statuses', () => {
  it('complete is read as completed, any other text as it is', () => {
    expect(['complete', 'completed', 'pending', 'x'].map(readStatus)).toEqual([
      'completed',
      'completed',
      'pending',
      'x',
    ])
  })
})

describe('G-40 movesTo', () => {
  it('every pair of statuses: forwards, to cancelled before delivered, never back, and nothing where it is', () => {
    const steps = ORDER_STATUSES.filter((status) => status !== 'cancelled')
    for (const from of ORDER_STATUSES) {
      for (const to of ORDER_STATUSES) {
        const isOpen = from !== 'cancelled' && steps.indexOf(from) < steps.indexOf('delivered')
        const outcome = () => movesTo(from, to)
        if (from === to) expect(outcome()).toBe(false)
        else if (to === 'cancelled' && !isOpen) expect(outcome).toThrow('ORDER_NOT_CANCELLABLE')
        else if (to === 'cancelled') expect(outcome()).toBe(true)
        else if (from === 'cancelled' || steps.indexOf(to) < steps.indexOf(from)) {
          expect(outcome).toThrow('ORDER_STATUS_NOT_ALLOWED')
        } else expect(outcome()).toBe(true)
      }
    }
  })
})

describe('G-40 paymentOf', () => {
  const order = { status: 'pending' as const, price: 100, paidAmount: 40, isPaid: false }

  it('the total is the new one: its record is the difference, also below 0', () => {
    expect(paymentOf(order, 100)).toEqual({ change: 60, isPaid: true, paymentStatus: 'paid' })
    expect(paymentOf(order, 70)).toEqual({ change: 30, isPaid: false, paymentStatus: 'partially_paid' })
    expect(paymentOf(order, 40)).toEqual({ change: 0, isPaid: false, paymentStatus: 'partially_paid' })
    expect(paymentOf(order, 0)).toEqual({ change: -40, isPaid: false, paymentStatus: 'not_paid' })
  })

  it('never above the price, but down from above it; never up when it is cancelled', () => {
    expect(() => paymentOf(order, 101)).toThrow('PAYMENT_ABOVE_PRICE')
    expect(paymentOf({ ...order, paidAmount: 300 }, 200)).toMatchObject({ change: -100, isPaid: true })
    const cancelled = { ...order, status: 'cancelled' as const }
    expect(() => paymentOf(cancelled, 41)).toThrow('ORDER_CANCELLED')
    expect(paymentOf(cancelled, 0).change).toBe(-40)
  })

  it('the price makes an order paid that was not called so', () => {
    const unsaid = { ...order, paidAmount: 100 }
    expect(paymentOf(unsaid, 100)).toEqual({ change: 0, isPaid: true, paymentStatus: 'paid' })
  })

  it('a payment of 0 makes an order paid that costs nothing', () => {
    const free = { ...order, price: 0, paidAmount: 0 }
    expect(paymentOf(free, 0)).toEqual({ change: 0, isPaid: true, paymentStatus: 'paid' })
  })

  it('what is not changed stays as paid as it is', () => {
    const asGift = { ...order, isPaid: true }
    expect(paymentOf(asGift, 40)).toEqual({ change: 0, isPaid: true, paymentStatus: 'paid' })
    expect(paymentOf({ ...order, price: 0, paidAmount: 0, isPaid: true }, 0).isPaid).toBe(true)
  })
})

describe('E14 priceOrder', () => {
  it('price, vat and name come from the SKU and its product, unless the line has its own, be it 0', () => {
    expect(priceOrder(order(), [shirt])).toMatchObject({
      lines: [{ name: 'Áo - M', price: 108_000 }],
      amounts: { price: 108_000, untaxedPrice: 100_000 },
    })
    const own = order({ orderItems: [{ id: 'a', quantity: 2, price: 0, vat: 0, name: 'Quà' }] })
    expect(priceOrder(own, [shirt])).toMatchObject({
      lines: [{ name: 'Quà', price: 0, quantity: 2 }],
      amounts: { price: 0, lines: [{ vatBasisPoints: 0 }] },
    })
  })

  it('G-42 isPaid and paidAmount are kept as sent, and the one not sent comes from the other', () => {
    const paid = (rest: Partial<AskedOrder>) => {
      const { paidAmount, isPaid, paymentStatus } = priceOrder(order(rest), [shirt])
      return [paidAmount, isPaid, paymentStatus]
    }
    expect(paid({})).toEqual([0, false, 'not_paid'])
    expect(paid({ isPaid: true })).toEqual([108_000, true, 'paid'])
    expect(paid({ isPaid: true, paidAmount: 8 })).toEqual([8, true, 'paid'])
    expect(paid({ isPaid: false, paidAmount: 108_001 })).toEqual([108_001, false, 'partially_paid'])
    expect(paid({ paidAmount: 108_000 })).toEqual([108_000, true, 'paid'])
    expect(paid({ paidAmount: 107_999 })).toEqual([107_999, false, 'partially_paid'])
    expect(paid({ discount: 200_000 })).toEqual([0, true, 'paid'])
    expect(paid({ discount: 200_000, isPaid: false })).toEqual([0, false, 'not_paid'])
  })

  it('G-42 throws on a total that is not the price, and on amounts too large', () => {
    expect(() => priceOrder(order({ total: 107_999 }), [shirt])).toThrow(
      expect.objectContaining({ code: 'TOTAL_MISMATCH', values: { total: 107_999, price: 108_000 } }),
    )
    expect(priceOrder(order({ total: 108_000 }), [shirt]).amounts.price).toBe(108_000)
    const huge = { ...shirt, price: Number.MAX_SAFE_INTEGER }
    expect(() => priceOrder(order({ shippingFee: 1 }), [huge])).toThrow(
      expect.objectContaining({ code: 'AMOUNT_TOO_LARGE' }),
    )
  })

  it('G-45 a payment method is any text in NFC that is not blank', () => {
    const method = (paymentMethod: string) => priceOrder(order({ paymentMethod }), [shirt]).paymentMethod
    expect(method('Ví điện tử (MoMo)'.normalize('NFD'))).toBe('Ví điện tử (MoMo)')
    expect(['', ' ', '\u200b\u3000'].map(method)).toEqual(['', '', ''])
  })
})

describe('G-41 lineName', () => {
  it('joins product and SKU, and repeats nothing', () => {
    expect(lineName({ name: 'M', productName: 'Áo' })).toBe('Áo - M')
    expect(lineName({ name: 'Áo', productName: 'Áo' })).toBe('Áo')
    expect(lineName({ name: '', productName: 'Áo' })).toBe('Áo')
    expect(lineName({ name: 'Áo M', productName: 'Áo' })).toBe('Áo M')
  })
})

describe('G-43 outOfStock', () => {
  it('names every short SKU with the wanted and the available quantity', () => {
    const refused = outOfStock([
      { name: 'Áo', wanted: 3, available: 1 },
      { name: 'Quần', wanted: 1, available: 0 },
    ])
    expect(refused).toBeInstanceOf(Refused)
    expect(refused.values).toEqual({ shortages: 'Áo: 3 / 1; Quần: 1 / 0' })
  })
})
