import { describe, expect, it } from 'vitest'
import { normalizePhone } from '../../server/src/lib/text/phone.ts'
import { formatPhone } from '../src/format.ts'

describe('G-22 phone numbers as people read them', () => {
  it.each([
    ['84903433369', '0903 433 369'],
    ['842838221234', '028 3822 1234'],
    ['842363822123', '0236 3822 123'],
    ['8419001234', '1900 1234'],
    ['84180012345', '+84180012345'],
    ['12025550123', '+12025550123'],
    ['6591234567', '+6591234567'],
  ])('%s is %s', (stored, shown) => {
    expect(formatPhone(stored)).toBe(shown)
  })

  it.each(['84903433369', '842838221234', '842363822123', '12025550123', '6591234567'])(
    'what is shown of %s means the same number when it is typed again',
    (stored) => {
      expect(normalizePhone(formatPhone(stored))).toBe(stored)
    },
  )

  it.each(['', 'Chị Lan', '0903433369', '***369'])('"%s" is no stored number and stays', (text) => {
    expect(formatPhone(text)).toBe(text)
  })
})
