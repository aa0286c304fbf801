import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AmountLine, computeAmounts, type OrderAmounts } from './amounts.ts'

const line: fc.Arbitrary<AmountLine> = fc.record({
  quantity: fc.integer({ min: 1, max: 50 }),
  price: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 50_000_000 })),
  discount: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100_000 })),
  vatBasisPoints: fc.oneof(fc.constantFrom(0, 500, 800, 850, 1_000), fc.integer({ min: 0, max: 10_000 })),
})
const lines = fc.array(line, { minLength: 1, maxLength: 10 })
const order = fc.record({
  discount: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 3_000_000 })),
  shippingFee: fc.integer({ min: 0, max: 100_000 }),
})
const sum = (numbers: number[]) => numbers.reduce((left, number) => left + number, 0)
const totals = ({ originPrice, discount, price, untaxedPrice, perRate }: OrderAmounts) => ({
  originPrice,
  discount,
  price,
  untaxedPrice,
  perRate,
})

/**
 * Splits a line into two: `first` of its pieces, and the rest. `cut` chooses how its discount is divided between them, so that
 * neither gets more discount than its price.
 */
function split(whole: AmountLine, first: number, cut: number): AmountLine[] {
  const rest = whole.price * (whole.quantity - first)
  const least = Math.max(0, Math.min(whole.discount, whole.price * whole.quantity) - rest)
  const most = Math.min(whole.discount, whole.price * first)
  const discount = least + (cut % (most - least + 1))
  return [
    { ...whole, quantity: first, discount },
    { ...whole, quantity: whole.quantity - first, discount: whole.discount - discount },
  ]
}

/** `total` in proportion to `weights`: each its floor, then one more to the largest fractions, the earlier first. */
function spread(total: bigint, weights: bigint[]): bigint[] {
  const sum = weights.reduce((left, right) => left + right, 0n)
  const of = sum === 0n ? weights.map(() => 1n) : weights
  const whole = sum === 0n ? BigInt(of.length) : sum
  const parts = of.map((weight) => (total * weight) / whole)
  while (parts.reduce((left, right) => left + right, 0n) < total) {
    // The exact share less the whole đồng given so far, as a fraction of `whole`: the largest first.
    const lacks = of.map((weight, n) => total * weight - parts[n]! * whole)
    parts[lacks.indexOf(lacks.reduce((most, lack) => (lack > most ? lack : most)))]! += 1n
  }
  return parts
}

/** G-42 computed directly, with integers of any size: only the net amount of a VAT rate is rounded. */
function exact(list: AmountLine[], extra: { discount: number; shippingFee: number }) {
  const least = (a: bigint, b: bigint) => (a < b ? a : b)
  const sold = list.map((each) => {
    const originPrice = BigInt(each.price) * BigInt(each.quantity)
    const discount = least(BigInt(each.discount), originPrice)
    return { rate: BigInt(each.vatBasisPoints), originPrice, discount, gross: originPrice - discount }
  })
  const rates = [...new Set(sold.map((each) => each.rate))].sort((a, b) => Number(a - b))
  const add = (numbers: bigint[]) => numbers.reduce((left, right) => left + right, 0n)
  const of = (rate: bigint) => sold.filter((each) => each.rate === rate)
  const discount = least(BigInt(extra.discount), add(sold.map((each) => each.gross)))
  const offRates = spread(
    discount,
    rates.map((rate) => add(of(rate).map((each) => each.gross))),
  )
  const shares = new Map<(typeof sold)[number], { share: bigint; net: bigint }>()
  const perRate = rates.map((rate, n) => {
    const members = of(rate)
    const off = spread(
      offRates[n]!,
      members.map((each) => each.gross),
    )
    const left = members.map((each, at) => each.gross - off[at]!)
    const gross = add(left)
    // gross × 10,000 ÷ (10,000 + rate), rounded half up.
    const net = (2n * gross * 10_000n + 10_000n + rate) / (2n * (10_000n + rate))
    const nets = spread(net, left)
    members.forEach((each, at) => {
      shares.set(each, { share: off[at]!, net: nets[at]! })
    })
    return { vatBasisPoints: Number(rate), gross: Number(gross), net: Number(net), tax: Number(gross - net) }
  })
  return {
    sold: sold.map((each) => {
      const { share, net } = shares.get(each)!
      const gross = each.gross - share
      return {
        vatBasisPoints: Number(each.rate),
        originPrice: Number(each.originPrice),
        discount: Number(each.discount),
        discountShare: Number(share),
        gross: Number(gross),
        net: Number(net),
        tax: Number(gross - net),
      }
    }),
    price: Number(add(sold.map((each) => each.gross)) - discount) + extra.shippingFee,
    discount: Number(discount),
    originPrice: Number(add(sold.map((each) => each.originPrice))),
    untaxedPrice: sum(perRate.map((rate) => rate.net)),
    perRate,
  }
}

describe('G-42 order amounts (E14)', () => {
  it('a worked order of two rates', () => {
    const result = computeAmounts(
      [
        { quantity: 2, price: 100_000, discount: 20_000, vatBasisPoints: 800 },
        { quantity: 1, price: 55_000, discount: 0, vatBasisPoints: 1_000 },
      ],
      { discount: 10_000, shippingFee: 15_000 },
    )
    // 180,000 and 55,000 bear 7,659.57 and 2,340.43 of the discount.
    expect(result).toEqual({
      originPrice: 255_000,
      discount: 10_000,
      price: 240_000,
      untaxedPrice: 159_574 + 47_873,
      lines: [
        {
          vatBasisPoints: 800,
          originPrice: 200_000,
          discount: 20_000,
          discountShare: 7_660,
          gross: 172_340,
          net: 159_574,
          tax: 12_766,
        },
        {
          vatBasisPoints: 1_000,
          originPrice: 55_000,
          discount: 0,
          discountShare: 2_340,
          gross: 52_660,
          net: 47_873,
          tax: 4_787,
        },
      ],
      perRate: [
        { vatBasisPoints: 800, gross: 172_340, net: 159_574, tax: 12_766 },
        { vatBasisPoints: 1_000, gross: 52_660, net: 47_873, tax: 4_787 },
      ],
    })
  })

  it('the discount is spread over the rates, then within each rate over its lines', () => {
    const sold = { quantity: 1, price: 1_000, discount: 0 }
    const goods = [
      { ...sold, vatBasisPoints: 1_000 },
      { ...sold, vatBasisPoints: 1_000 },
      { ...sold, vatBasisPoints: 0 },
    ]
    const result = computeAmounts(goods, { discount: 5, shippingFee: 0 })
    expect(result.perRate.map((rate) => rate.gross)).toEqual([998, 1_997])
    expect(result.lines.map((each) => each.discountShare)).toEqual([2, 1, 2])
    expect(result.untaxedPrice).toBe(998 + 1_815)
  })

  it('every amount is that of an exact model in rationals', () => {
    fc.assert(
      fc.property(lines, order, (list, extra) => {
        const {
          lines: sold,
          price,
          discount,
          originPrice,
          untaxedPrice,
          perRate,
        } = computeAmounts(list, extra)
        expect({ sold, price, discount, originPrice, untaxedPrice, perRate }).toEqual(exact(list, extra))
      }),
      { numRuns: 500 },
    )
  })

  it('net is rounded once per rate, not per line', () => {
    const cheap = { quantity: 1, price: 7, discount: 0, vatBasisPoints: 1_000 }
    expect(computeAmounts([cheap, cheap, cheap], { discount: 0, shippingFee: 0 }).untaxedPrice).toBe(19)
  })

  it('a line bears no more discount than its price, an order no more than its lines', () => {
    const result = computeAmounts(
      [
        { quantity: 1, price: 1_000, discount: 5_000, vatBasisPoints: 800 },
        { quantity: 1, price: 2_000, discount: 0, vatBasisPoints: 800 },
      ],
      { discount: 9_000, shippingFee: 500 },
    )
    expect(result).toMatchObject({ originPrice: 3_000, discount: 2_000, price: 500, untaxedPrice: 0 })
    expect(result.lines.map((each) => each.gross)).toEqual([0, 0])
  })

  it('shipping adds to the price and not to the untaxed price', () => {
    const goods = [{ quantity: 1, price: 10_800, discount: 0, vatBasisPoints: 800 }]
    const result = computeAmounts(goods, { discount: 0, shippingFee: 30_000 })
    expect(result).toMatchObject({ price: 40_800, untaxedPrice: 10_000 })
  })

  it('an order without lines is its shipping fee', () => {
    const result = computeAmounts([], { discount: 5, shippingFee: 7 })
    expect(result).toMatchObject({ originPrice: 0, discount: 0, price: 7, untaxedPrice: 0, lines: [] })
  })

  it('parts sum to their wholes, and nothing falls below 0', () => {
    fc.assert(
      fc.property(lines, order, (list, extra) => {
        const result = computeAmounts(list, extra)
        expect(sum(result.lines.map((each) => each.discountShare))).toBe(result.discount)
        expect(sum(result.lines.map((each) => each.originPrice))).toBe(result.originPrice)
        expect(sum(result.lines.map((each) => each.net))).toBe(result.untaxedPrice)
        expect(sum(result.lines.map((each) => each.gross)) + extra.shippingFee).toBe(result.price)
        for (const rate of result.perRate) {
          const members = result.lines.filter((each) => each.vatBasisPoints === rate.vatBasisPoints)
          expect(rate.net + rate.tax).toBe(rate.gross)
          expect(sum(members.map((each) => each.gross))).toBe(rate.gross)
          expect(sum(members.map((each) => each.tax))).toBe(rate.tax)
        }
        for (const each of result.lines) {
          expect(each.originPrice - each.discount - each.discountShare).toBe(each.gross)
          expect(Math.min(each.discountShare, each.gross, each.net, each.tax)).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })

  it('every rate is rounded once, and a part is less than one đồng from its exact share', () => {
    fc.assert(
      fc.property(lines, order, (list, extra) => {
        const result = computeAmounts(list, extra)
        const rates = result.perRate.map((rate) => rate.vatBasisPoints)
        expect(rates).toEqual([...new Set(list.map((each) => each.vatBasisPoints))].sort((a, b) => a - b))
        for (const { vatBasisPoints, gross, net } of result.perRate) {
          // Round half up in integers: |gross × 10,000 − net × divisor| ≤ half a divisor, a half upwards.
          const divisor = BigInt(10_000 + vatBasisPoints)
          const twice = 2n * (BigInt(gross) * 10_000n - BigInt(net) * divisor)
          expect(twice >= -divisor && twice < divisor).toBe(true)
          const members = result.lines.filter((each) => each.vatBasisPoints === vatBasisPoints)
          const before = sum(members.map((each) => each.gross + each.discountShare))
          const taken = sum(members.map((each) => each.discountShare))
          for (const each of members) {
            // share − taken × own ÷ before, times before.
            const off =
              BigInt(each.discountShare) * BigInt(before) -
              BigInt(taken) * BigInt(each.gross + each.discountShare)
            expect(off > -BigInt(before || 1) && off < BigInt(before || 1)).toBe(true)
          }
        }
      }),
    )
  })

  it('a discount taken off the order comes to the same price as one taken off a line', () => {
    fc.assert(
      fc.property(lines, order, fc.nat(), (list, extra, at) => {
        const index = at % list.length
        const { gross } = computeAmounts(list, { ...extra, discount: 0 }).lines[index]!
        const off = Math.min(extra.discount, gross)
        const onLine = list.map((each, n) =>
          n === index
            ? { ...each, discount: Math.min(each.discount, each.price * each.quantity) + off }
            : each,
        )
        expect(computeAmounts(onLine, { ...extra, discount: 0 }).price).toBe(
          computeAmounts(list, { ...extra, discount: off }).price,
        )
      }),
    )
  })

  it('the order of lines changes no total', () => {
    const shuffled = lines.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    )
    fc.assert(
      fc.property(shuffled, order, ([list, other], extra) => {
        expect(totals(computeAmounts(other, extra))).toEqual(totals(computeAmounts(list, extra)))
      }),
    )
  })

  it('splitting a line in two changes no total', () => {
    fc.assert(
      fc.property(lines, order, fc.nat(), fc.nat(), fc.nat(), (list, extra, at, cut, discountCut) => {
        const index = at % list.length
        const whole = list[index]
        fc.pre(whole !== undefined && whole.quantity > 1)
        const parts = [...list]
        parts.splice(index, 1, ...split(whole, 1 + (cut % (whole.quantity - 1)), discountCut))
        expect(totals(computeAmounts(parts, extra))).toEqual(totals(computeAmounts(list, extra)))
      }),
    )
  })

  it('throws on amounts that are not whole, negative, or beyond the safe integers', () => {
    const good = { quantity: 1, price: 1, discount: 0, vatBasisPoints: 800 }
    const none = { discount: 0, shippingFee: 0 }
    const wrongLines: Partial<AmountLine>[] = [
      { quantity: 0 },
      { quantity: 1.5 },
      { price: -1 },
      { price: 0.5 },
      { discount: -1 },
      { vatBasisPoints: 850.5 },
      { vatBasisPoints: -1 },
      { vatBasisPoints: 10_001 },
      { quantity: 2, price: Number.MAX_SAFE_INTEGER },
    ]
    for (const wrong of wrongLines)
      expect(() => computeAmounts([{ ...good, ...wrong }], none)).toThrow(RangeError)
    expect(() => computeAmounts([good], { ...none, discount: -1 })).toThrow(RangeError)
    expect(() => computeAmounts([good], { ...none, shippingFee: 0.5 })).toThrow(RangeError)
    const huge = { ...good, price: Number.MAX_SAFE_INTEGER }
    expect(() => computeAmounts([huge, good], none)).toThrow(RangeError)
    expect(() => computeAmounts([huge], { discount: 0, shippingFee: 1 })).toThrow(RangeError)
    expect(computeAmounts([huge], none).price).toBe(Number.MAX_SAFE_INTEGER)
  })
})
