import fc from 'fast-check'
import { expect, it } from 'vitest'
import { handleOf, keysOf, type Line, readMoney } from './lines.ts'

const lineOf = (cells: Record<string, string>): Line => ({ line: 2, cells }) as Line

it('G-37 an amount means the same however its thousands are written', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (vnd) => {
      const dots = vnd.toLocaleString('vi-VN')
      for (const cell of [String(vnd), dots, vnd.toLocaleString('en-GB'), `${vnd}.00`, ` ${vnd} `]) {
        expect(readMoney(cell)).toBe(vnd)
      }
    }),
  )
})

it.each(['150.0000', '1.000,5', '1,000.000', '12.34.567', '1e3', '', 'miễn phí'])(
  'G-37 %s is no amount in whole đồng, and its text is refused as it stands',
  (cell) => {
    expect(readMoney(cell)).toBe(cell)
  },
)

it('G-37 a fraction of a đồng stays one, and is refused as no integer', () => {
  expect(['150.5', '1.50'].map(readMoney)).toEqual([150.5, 1.5])
})

it('G-37 a slug identifies its product also before it is made like one', () => {
  expect(keysOf([lineOf({ slug: 'Áo Slug 1' })]).slug).toBe('ao-slug-1')
  expect(handleOf(lineOf({ slug: 'Áo Slug 1' }))).toEqual(handleOf(lineOf({ slug: 'ao-slug-1' })))
  expect(handleOf(lineOf({ slug: '茶' }))).not.toEqual(handleOf(lineOf({ slug: '水' })))
})
