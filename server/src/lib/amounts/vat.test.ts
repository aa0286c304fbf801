import { describe, expect, it } from 'vitest'
import { toBasisPoints, toPercent } from './vat.ts'

describe('G-42 VAT rates', () => {
  it('every rate from 0 to 100 % goes to basis points and back as it was written', () => {
    for (let points = 0; points <= 10_000; points += 1) {
      const hundredths = String(points % 100).padStart(2, '0')
      const written = `${Math.floor(points / 100)}.${hundredths}`.replace(/\.?0+$/, '') || '0'
      const text = points % 100 === 0 ? String(points / 100) : written
      expect(toBasisPoints(Number(text))).toBe(points)
      expect(JSON.stringify(toPercent(points))).toBe(text)
    }
  })
})
