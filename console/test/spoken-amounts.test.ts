import { describe, expect, it } from 'vitest'
import { amountIn } from '../src/components/forms/amount.ts'

describe('an amount in a text', () => {
  it.each([
    ['45000', 45_000],
    ['45.000 ₫', 45_000],
    ['1,250,000.00', 1_250_000],
    ['-45.000', -45_000],
    ['20k', 20_000],
    ['20K', 20_000],
    ['1.500k', 1_500_000],
    ['20k5', 20_500],
    ['1,5k', 1_500],
    ['350 nghìn', 350_000],
    ['350 ngàn đồng', 350_000],
    ['1tr', 1_000_000],
    ['1tr2', 1_200_000],
    ['1tr250', 1_250_000],
    ['1,5 triệu', 1_500_000],
    ['1.25tr', 1_250_000],
    ['２０ｋ', 20_000],
  ])('%s is %i đồng', (text, vnd) => {
    expect(amountIn(text)).toBe(vnd)
  })

  it.each([
    '',
    'k',
    'k20',
    '2e3',
    '1,5',
    '0.125',
    '012.000',
    '1.5tr2',
    '12 cái x 5.000',
    '250.000 - 300.000',
    '20kg',
    '1.2.3k',
    '1tr2500',
  ])('%s is none', (text) => {
    expect(amountIn(text)).toBeUndefined()
  })
})
