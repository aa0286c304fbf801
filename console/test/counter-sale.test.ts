import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeHeldSales, currentSale, type HeldChange, noSales } from '../src/screens/pos/held-sales.ts'
import {
  type Discount,
  discountVnd,
  readDiscount,
  writeDiscount,
} from '../src/screens/pos/payment/discount.ts'
import { METHODS, PAYINGS, paidBy, sumTaken, takenNow } from '../src/screens/pos/payment/taken-payments.ts'
import {
  changeSale,
  goodsBody,
  isFarAboveStock,
  lineAmount,
  newSale,
  type OrderBody,
  offeredPrice,
  type Sale,
  type SaleChange,
} from '../src/screens/pos/sale.ts'

const discount: fc.Arbitrary<Discount> = fc.oneof(
  fc.record({ vnd: fc.integer({ min: 0, max: 50_000_000 }) }),
  fc.record({ basisPoints: fc.integer({ min: 0, max: 10_000 }) }),
)
const line = fc.record({
  price: fc.integer({ min: 0, max: 9_000_000 }),
  quantity: fc.integer({ min: 1, max: 1_000 }),
  discount,
})

describe('discounts at the counter', () => {
  it.each([
    ['10%', 155_005, 15_501],
    ['7,5 %', 1_000, 75],
    ['100%', 33_333, 33_333],
    ['50.000 ₫', 180_000, 50_000],
    ['50000', 20_000, 20_000],
    ['', 20_000, 0],
  ])('%s of %i đồng takes %i off', (text, of, taken) => {
    expect(discountVnd(readDiscount(text)!, of)).toBe(taken)
  })

  it.each(['101%', '1,234%', '-5%', '10 phần trăm', '1.00', '10%%'])('%s is no discount', (text) => {
    expect(readDiscount(text)).toBeUndefined()
  })

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(discount, (one) => {
        expect(readDiscount(writeDiscount(one))).toEqual(one)
      }),
    )
  })

  it('is whole đồng, within half a đồng of the share, never above the amount, and lines and order add up to the price', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), discount, (lines, ofOrder) => {
        const sale = lines.reduce<Sale>(
          (made, { price, quantity, discount: taken }, index) => {
            const sellable = { skuId: String(index), name: '', code: '', price, stock: 0 }
            const added = changeSale(made, { type: 'add', sellable, quantity })
            return changeSale(added, { type: 'line', index, change: { discount: taken } })
          },
          changeSale(newSale(1), { type: 'set', change: { discount: ofOrder } }),
        )
        const body = goodsBody(sale)
        for (const [index, item] of body.orderItems.entries()) {
          const whole = item.price * item.quantity
          expect(Number.isInteger(item.discount)).toBe(true)
          expect(item.discount >= 0 && item.discount <= whole).toBe(true)
          const asked = lines[index]!.discount
          if ('basisPoints' in asked)
            expect(Math.abs(item.discount - (whole * asked.basisPoints) / 10_000)).toBeLessThanOrEqual(0.5)
        }
        const sum = sale.lines.reduce((total, one) => total + lineAmount(one), 0)
        expect(body.discount >= 0 && body.discount <= sum).toBe(true)
        if ('basisPoints' in ofOrder)
          expect(Math.abs(body.discount - (sum * ofOrder.basisPoints) / 10_000)).toBeLessThanOrEqual(0.5)
      }),
    )
  })
})

describe('wholesale prices at the counter', () => {
  const tiers = [
    { minQuantity: 10, price: 900 },
    { minQuantity: 5, price: 950 },
  ]
  const sellable = { skuId: 'a', name: 'A', code: 'A', price: 1_000, stock: 50, tiers }
  const lineOf = (quantity: number, price?: number) => {
    const sale = changeSale(newSale(1), { type: 'add', sellable, quantity })
    return changeSale(sale, { type: 'line', index: 0, change: price === undefined ? {} : { price } })
      .lines[0]!
  }

  it.each([
    [4, undefined, undefined],
    [5, undefined, { price: 950, from: 5 }],
    [12, undefined, { price: 900, from: 10 }],
    [12, 900, undefined],
    [7, 900, { price: 950, from: 5 }],
    [1, 900, { price: 1_000, from: undefined }],
  ])('%i pieces at %s are offered %j', (quantity, price, offered) => {
    expect(offeredPrice(lineOf(quantity, price))).toEqual(offered)
  })

  it('a tier that is not cheaper than a single piece, as after a price cut, is not offered', () => {
    const cut = { ...sellable, price: 950 }
    const [line] = changeSale(newSale(1), { type: 'add', sellable: cut, quantity: 5 }).lines
    expect(offeredPrice({ ...line!, retailPrice: 920, price: 920 })).toBeUndefined()
    expect(offeredPrice(line!)).toBeUndefined()
    expect(offeredPrice({ ...line!, quantity: 10 })).toEqual({ price: 900, from: 10 })
  })

  it('a price that is taken is the one that is sent', () => {
    const sale = changeSale(newSale(1), { type: 'add', sellable, quantity: 10 })
    const taken = changeSale(sale, { type: 'line', index: 0, change: { price: 900 } })
    expect(goodsBody(taken).orderItems).toMatchObject([{ quantity: 10, price: 900 }])
  })
})

describe('a quantity that is likely a slip', () => {
  it.each([
    [5_000, 1_196, true],
    [1_296, 1_196, true],
    [1_295, 1_196, false],
    [99, 0, false],
    [100, 0, true],
    [1, -3_806, false],
    [100, -3_806, true],
  ])('%i pieces of %i: %s', (quantity, stock, isFar) => {
    const sellable = { skuId: 'a', name: 'A', code: 'A', price: 1_000, stock }
    const [line] = changeSale(newSale(1), { type: 'add', sellable, quantity }).lines
    expect(isFarAboveStock(line!)).toBe(isFar)
  })
})

describe('held sales', () => {
  const sellable = { skuId: 'a', name: 'A', code: 'A', price: 1_000, stock: 1 }
  const done = (changes: (HeldChange | ((front: string) => HeldChange))[]) =>
    changes.reduce(
      (held, one) => changeHeldSales(held, typeof one === 'function' ? one(held.current) : one),
      noSales(),
    )
  const add = (id: string): HeldChange => ({
    type: 'sale',
    id,
    change: { type: 'add', sellable, quantity: 1 },
  })

  it('another sale holds the first; one that is left empty is closed, and its number is free again', () => {
    const held = done([add, { type: 'another' }, { type: 'next' }])
    expect(held.sales.map(({ number }) => number)).toEqual([1])
    const two = done([add, { type: 'another' }, add, { type: 'another' }])
    expect(two.sales.map(({ number }) => number)).toEqual([1, 2, 3])
    expect(currentSale(two).lines).toEqual([])
  })

  it('a sale that is sold behind another closes; in front it becomes an empty one; a scan answered after that is not lost', () => {
    const held = done([add, { type: 'another' }, add])
    const [first, second] = held.sales.map(({ id }) => id)
    const behind = changeHeldSales(held, { type: 'sale', id: first!, change: { type: 'new' } })
    expect(behind.sales.map(({ id }) => id)).toEqual([second])
    const front = changeHeldSales(behind, { type: 'sale', id: second!, change: { type: 'new' } })
    expect(currentSale(front)).toMatchObject({ number: 1, lines: [] })
    expect(currentSale(changeHeldSales(front, add(first!))).lines).toHaveLength(1)
  })

  it.each([
    ['in front begins the next one', 0, [5, 1]],
    ['behind another is of the one in front', 1, [6]],
  ])('a scan answered while its sale is being sold %s, once', (_, inFront, quantities) => {
    const body = { orderItems: [], discount: 0, total: 0, paidAmount: 0 } as unknown as OrderBody
    const sending: SaleChange[] = [
      { type: 'selling' },
      { type: 'add', sellable, quantity: 2 },
      { type: 'sent', sent: { body, rest: undefined, atMs: 0 } },
      { type: 'add', sellable, quantity: 3 },
    ]
    const two = done([add, { type: 'another' }, add])
    const sold = two.sales[0]!.id
    const held = [{ type: 'show', id: two.sales[inFront]!.id } as HeldChange]
      .concat(sending.map((change) => ({ type: 'sale', id: sold, change })))
      .reduce(changeHeldSales, two)
    expect(held.sales[0]!.lines).toMatchObject([{ quantity: 1 }])
    const after = ([{ type: 'new' }, { type: 'settled' }] as SaleChange[])
      .map((change): HeldChange => ({ type: 'sale', id: sold, change }))
      .reduce(changeHeldSales, held)
    expect(after.sales.map(({ lines }) => lines[0]?.quantity)).toEqual(quantities)
    for (const { sent, late = [] } of after.sales) expect([sent, late]).toEqual([null, []])
    expect(after.current).toBe(after.sales[0]!.id)
  })

  it.each([
    ['line', { type: 'line', index: 0, change: { quantity: 9, price: 1 } }],
    ['removal', { type: 'remove', index: 0 }],
    ['choice of a line', { type: 'choose', index: 0 }],
    ['discount', { type: 'set', change: { discount: { vnd: 500 } } }],
    ['payment', { type: 'set', change: { method: 'transfer', paying: 'later', given: 9_000 } }],
    ['customer', { type: 'set', change: { customer: { _id: 'c', fullName: 'C', phone: '' } } }],
  ] as [string, SaleChange][])('from the button on, a change of %s changes nothing', (_, change) => {
    const other = { ...sellable, skuId: 'b' }
    const filled = [sellable, other].reduce(
      (made, one) => changeSale(made, { type: 'add', sellable: one, quantity: 1 }),
      newSale(1),
    )
    const selling = changeSale(filled, { type: 'selling' })
    expect(changeSale(filled, change)).not.toEqual(filled)
    expect(changeSale(selling, change)).toEqual(selling)
    const body = { orderItems: [], discount: 0, total: 0 } as unknown as OrderBody
    const sent = changeSale(selling, { type: 'sent', sent: { body, rest: undefined, atMs: 0 } })
    expect(sent.sent).not.toBeNull()
    expect(changeSale(sent, change)).toEqual(sent)
    expect(changeSale(changeSale(selling, { type: 'settled' }), change)).not.toEqual(filled)
  })

  it.each(['refused', 'settled'] as const)('a scan answered meanwhile is of a sale that ends %s', (end) => {
    const scanned = ([{ type: 'selling' }, { type: 'add', sellable, quantity: 2 }] as SaleChange[]).reduce(
      changeSale,
      changeSale(newSale(1), { type: 'add', sellable, quantity: 1 }),
    )
    expect(changeSale(scanned, { type: end })).toMatchObject({ lines: [{ quantity: 3 }], late: [] })
  })
})

describe('payments of a sale', () => {
  it('are above 0 each, add up to what is paid now, and are the whole price where all is paid', () => {
    const vnd = fc.option(fc.integer({ min: 0, max: 3_000_000 }))
    const asked = fc.record({
      method: fc.constantFrom(...METHODS),
      paying: fc.constantFrom(...PAYINGS),
      part: vnd,
      cashPart: vnd,
    })
    fc.assert(
      fc.property(asked, fc.integer({ min: 1, max: 3_000_000 }), (sale, price) => {
        const taken = takenNow(sale, price)
        if (taken === undefined) return
        const sum = sumTaken(taken)
        expect(sum).toBe({ all: price, part: sale.part, later: 0 }[sale.paying])
        expect(taken.every((one) => one.vnd > 0)).toBe(true)
        const { body, rest } = paidBy(sale, taken)
        expect(rest?.paidAmount ?? body.paidAmount ?? (body.isPaid ? price : 0)).toBe(sum)
        expect(taken.length > 1).toBe(rest !== undefined)
      }),
    )
  })

  it.each([
    [{ method: 'cash', paying: 'part', part: 100 }, 'a part as high as the price'],
    [{ method: 'cash', paying: 'part', part: null }, 'a part that is not typed'],
    [{ method: 'split', paying: 'all', cashPart: 100 }, 'a split without a transfer'],
    [{ method: 'split', paying: 'part', part: 50, cashPart: 50 }, 'the cash of a split as high as the part'],
  ] as const)('%o of 100 is refused: %s', (sale, _) => {
    expect(takenNow({ part: null, cashPart: null, ...sale }, 100)).toBeUndefined()
  })
})
