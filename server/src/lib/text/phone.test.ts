import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizePhone } from './phone.ts'

describe('G-22 phones', () => {
  it.each([
    '0912345678',
    '0912 345 678',
    '0912.345.678',
    '091-234-5678',
    '(091) 2345678',
    '(+84) 912345678',
    '(+84) 912 345 678',
    ' ( +84 )912345678',
    '[+84] 912345678',
    '（＋８４）９１２３４５６７８',
    '(0084) 912345678',
    '912345678',
    '84912345678',
    '84 912 345 678',
    '+84912345678',
    '+84 91 234 56 78',
    '+84.912.345.678',
    '0084912345678',
    '00 84 912345678',
    '+84 (0)912345678',
    '+840912345678',
    ' 0912345678\n',
    '\u202a+84 912 345 678\u202c',
    '０９１２３４５６７８',
  ])('%j is stored as 84912345678', (text) => {
    expect(normalizePhone(text)).toBe('84912345678')
  })

  it('landlines and service numbers are numbers too', () => {
    expect(normalizePhone('024 3825 2525')).toBe('842438252525')
    expect(normalizePhone('1900 1234')).toBe('8419001234')
  })

  it.each([
    '0123456789',
    '09123456789',
    '091234567',
    '849123456789',
    '+8491234567',
    '0555555555',
    '028123456',
  ])('%j is not valid in the plan of Vietnam', (text) => {
    expect(normalizePhone(text)).toBeUndefined()
  })

  it.each(['+1 202 555 012', '+1 202 555 01234', '+44 7911 12345', '+1 111 555 0123'])(
    '%j is not valid in the plan of its country',
    (text) => {
      expect(normalizePhone(text)).toBeUndefined()
    },
  )

  it.each([
    ['+1 202 555 0123', '12025550123'],
    ['001 202 555 0123', '12025550123'],
    ['+39 06 1234 5678', '390612345678'],
    ['(+44) 7911 123456', '447911123456'],
  ])("another country's %j is %j", (text, digits) => {
    expect(normalizePhone(text)).toBe(digits)
  })

  it("another country's number without plus or 00 is not read as one", () => {
    expect(normalizePhone('12025550123')).toBeUndefined()
  })

  it.each([
    '',
    'abc',
    '113',
    '849',
    '0903334',
    '0000000',
    '+840903334',
    '+84',
    '+CC0912345678',
    '(+84 912345678',
    '(+(84)) 912345678',
    '(+) 912345678',
    '+84012345678',
    '＋８４０１２３４５６７８',
    '+840123',
    '+8484912345678',
    '091234567890',
    '0912345678 / 0987654321',
    '0912345678 ext 5',
    'call 0912345678',
    '0912abc678',
    '84,912345678',
  ])('%j is no phone', (text) => {
    expect(normalizePhone(text)).toBeUndefined()
  })

  it('takes any ending on a mobile prefix in each form, and its own result again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999 }), (ending) => {
        const rest = `90${String(ending).padStart(7, '0')}`
        for (const prefix of ['0', '84', '+84', '0084', ''])
          expect(normalizePhone(prefix + rest)).toBe(`84${rest}`)
      }),
    )
  })
})
