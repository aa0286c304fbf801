import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { largestRemainder, roundHalfUpDiv, toAmount, toSafeNumber } from './money.ts'

const amounts = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

describe('rounding a quotient half up', () => {
  it.each([
    [5, 2, 3],
    [4, 3, 1],
    [-5, 2, -2],
    [-7, 4, -2],
    [0, 9, 0],
    [10_000_000n * 100n, 108, 9_259_259],
  ])('%s ÷ %s = %s', (a, b, result) => {
    expect(roundHalfUpDiv(a, b)).toBe(result)
  })

  it('is exact beyond 2^53 inside', () => {
    expect(roundHalfUpDiv(BigInt(Number.MAX_SAFE_INTEGER) * 100n, 100)).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('never is more than a half away', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 1, max: 1_000_000 }), (a, b) => {
        const rest = 2n * (BigInt(a) - BigInt(roundHalfUpDiv(a, b)) * BigInt(b))
        expect(rest >= -BigInt(b) && rest < BigInt(b)).toBe(true)
      }),
    )
  })

  it('throws on a divisor that is not positive, a fraction, or a result too large', () => {
    expect(() => roundHalfUpDiv(1, 0)).toThrow(RangeError)
    expect(() => roundHalfUpDiv(1, -1)).toThrow(RangeError)
    expect(() => roundHalfUpDiv(1.5, 1)).toThrow(RangeError)
    expect(() => roundHalfUpDiv(2n ** 60n, 1)).toThrow(RangeError)
  })
})

describe('G-42 largest remainder', () => {
  it.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [10, [2, 3, 5], [2, 3, 5]],
    [1, [1, 2], [0, 1]],
    [7, [0, 0, 0], [3, 2, 2]],
    [7, [0, 5], [0, 7]],
    [0, [], []],
    [0, [0], [0]],
  ])('%s over %j is %j', (total, weights, parts) => {
    expect(largestRemainder(total, weights)).toEqual(parts)
  })

  it('parts sum to the total and are less than one away from the exact share', () => {
    fc.assert(
      fc.property(amounts, fc.array(amounts, { minLength: 1, maxLength: 12 }), (total, weights) => {
        const parts = largestRemainder(total, weights).map(BigInt)
        const sum = weights.reduce((left, weight) => left + BigInt(weight), 0n)
        expect(parts.reduce((left, part) => left + part, 0n)).toBe(BigInt(total))
        if (sum === 0n) return
        parts.forEach((part, index) => {
          const off = part * sum - BigInt(total) * BigInt(weights[index] ?? 0)
          expect(off > -sum && off < sum).toBe(true)
        })
      }),
    )
  })

  it('no part exceeds its weight when the total does not exceed their sum', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(weights, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
        const sum = list.reduce((left, weight) => left + weight, 0)
        const parts = largestRemainder(Math.floor(sum * share), list)
        parts.forEach((part, index) => {
          expect(part).toBeLessThanOrEqual(list[index] ?? 0)
        })
      }),
    )
  })

  it('throws on negative amounts, fractions, and nothing to divide over', () => {
    expect(() => largestRemainder(-1, [1])).toThrow(RangeError)
    expect(() => largestRemainder(1.5, [1])).toThrow(RangeError)
    expect(() => largestRemainder(1, [1, -1])).toThrow('weights[1]')
    expect(() => largestRemainder(1, [])).toThrow(RangeError)
  })
})

describe('amounts', () => {
  it('throw when they are negative or not safe integers, naming the field', () => {
    expect(toAmount(0, 'fee')).toBe(0n)
    for (const wrong of [-1, 0.1, Number.NaN, 2 ** 53]) expect(() => toAmount(wrong, 'fee')).toThrow('fee')
    expect(toSafeNumber(5n)).toBe(5)
    expect(() => toSafeNumber(2n ** 53n)).toThrow(RangeError)
  })
})
