import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isScannerPace } from '../src/screens/pos/scan/scanner-pace.ts'

/** The times between the keys of a code, and before its Enter, in ms. */
const gaps = (keys: { min: number; max: number }, ms: { min: number; max: number }) =>
  fc.array(fc.integer(ms), { minLength: keys.min, maxLength: keys.max })
const isScan = (each: number[]) =>
  isScannerPace(
    each.length,
    each.reduce((sum, gap) => sum + gap, 0),
  )

describe('the pace that tells a scanner from a person', () => {
  it('is a scanner’s from 3 keys on at 25 ms per key at most, and from 6 keys on at 60 ms', () => {
    fc.assert(fc.property(gaps({ min: 3, max: 5 }, { min: 0, max: 25 }), (each) => isScan(each)))
    fc.assert(fc.property(gaps({ min: 6, max: 40 }, { min: 0, max: 60 }), (each) => isScan(each)))
  })

  it('is never that of a person, who needs 85 ms per key, nor of a person who types an amount of up to 5 digits above 25 ms per key', () => {
    fc.assert(fc.property(gaps({ min: 0, max: 40 }, { min: 85, max: 120 }), (each) => !isScan(each)))
    fc.assert(fc.property(gaps({ min: 0, max: 5 }, { min: 26, max: 120 }), (each) => !isScan(each)))
  })

  it('needs 3 keys, and slower keys are no scan if faster ones are none', () => {
    fc.assert(fc.property(gaps({ min: 0, max: 2 }, { min: 0, max: 120 }), (each) => !isScan(each)))
    fc.assert(
      fc.property(gaps({ min: 1, max: 40 }, { min: 0, max: 120 }), fc.nat(120), (each, slower) => {
        const later = each.map((gap) => gap + slower)
        expect(isScan(later) && !isScan(each)).toBe(false)
      }),
    )
  })
})
