import { describe, expect, it } from 'vitest'
import { checkDigit, drawBarcodes, inStoreBarcode } from './rules.ts'

describe('G-39 in-store barcodes', () => {
  it.each([
    ['400638133393', 1],
    ['200000000000', 8],
    ['978020137962', 4],
  ])('the check digit of %s is %i', (twelve, digit) => {
    expect(checkDigit(twelve)).toBe(digit)
  })

  it('an EAN-13 that begins with 200', () => {
    expect(inStoreBarcode(0)).toBe('2000000000008')
    expect(inStoreBarcode(999_999_999)).toMatch(/^200999999999\d$/)
  })

  it('draws no barcode twice', () => {
    const numbers = [0.1, 0.1, 0.2, 0.2, 0.3]
    const drawn = drawBarcodes(3, () => numbers.shift()!)
    expect(new Set(drawn).size).toBe(3)
    expect(numbers).toEqual([])
  })
})
