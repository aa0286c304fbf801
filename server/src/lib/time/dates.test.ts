import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isVoucherDate, parseIsoInstant, parseIsoStart, voucherInstant } from './dates.ts'

const instants = fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })

describe('G-11 voucher dates', () => {
  it.each([
    ['31/12/2026', '2026-12-30T17:00:00.000Z'],
    ['08:30 31/12/2026', '2026-12-31T01:30:00.000Z'],
    ['23:59:59 29/02/2028', '2028-02-29T16:59:59.000Z'],
    ['2026-12-31', '2026-12-30T17:00:00.000Z'],
    ['2026-12-31T08:30:00', '2026-12-31T01:30:00.000Z'],
    ['2026-12-31T08:30:00Z', '2026-12-31T08:30:00.000Z'],
    ['2026-12-31T08:30:00.123+07:00', '2026-12-31T01:30:00.123Z'],
  ])('%s is %s', (text, iso) => {
    expect(isVoucherDate(text)).toBe(true)
    expect(new Date(voucherInstant(text) ?? 0).toISOString()).toBe(iso)
  })

  it.each([
    '',
    '31/02/2026',
    '29/02/2026',
    '00/01/2026',
    '01/13/2026',
    '1/1/2026',
    '01/01/26',
    '01-01-2026',
    '24:00 01/01/2026',
    '10:60 01/01/2026',
    '10:00:60 01/01/2026',
    '10 01/01/2026',
    '01/01/2026 10:00',
    '01/01/0000',
    '2026-02-30',
    'tomorrow',
    '<a> <b>',
  ])('%j is no voucher date', (text) => {
    expect(isVoucherDate(text)).toBe(false)
    expect(voucherInstant(text)).toBeUndefined()
  })

  it('a parameter may take the place of a date, and names no instant', () => {
    expect(isVoucherDate('<expiry_date>')).toBe(true)
    expect(voucherInstant('<expiry_date>')).toBeUndefined()
  })

  it('as an end, a bare date is its last millisecond and a time stays', () => {
    const dayMs = 86_400_000
    expect(voucherInstant('31/12/2026', 'end')).toBe((voucherInstant('31/12/2026') ?? 0) + dayMs - 1)
    expect(voucherInstant('2026-12-31', 'end')).toBe(voucherInstant('31/12/2026', 'end'))
    expect(voucherInstant('10:00 31/12/2026', 'end')).toBe(voucherInstant('10:00 31/12/2026'))
    expect(voucherInstant('2026-12-31T10:00', 'end')).toBe(voucherInstant('2026-12-31T10:00'))
  })
})

describe('E12 startDate and endDate', () => {
  it.each([
    ['2026-07-01', '2026-07-01T00:00:00.000Z'],
    ['2026-07-01T10:20', '2026-07-01T10:20:00.000Z'],
    ['2026-07-01T10:20:30', '2026-07-01T10:20:30.000Z'],
    ['2026-07-01T10:20:30.5Z', '2026-07-01T10:20:30.500Z'],
    ['2026-07-01T23:59:59.999999Z', '2026-07-01T23:59:59.999Z'],
    ['2026-07-01T10:20:30+07:00', '2026-07-01T03:20:30.000Z'],
    ['2026-07-01T10:20:30 07:00', '2026-07-01T03:20:30.000Z'],
    ['2026-07-01T10:20:30-0330', '2026-07-01T13:50:30.000Z'],
    ['2026-07-01T10:20:30+07', '2026-07-01T03:20:30.000Z'],
    ['0099-01-01', '0099-01-01T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(parseIsoInstant(text)?.toISOString()).toBe(iso)
  })

  it.each([
    ['2026-07-01', '2026-07-01T00:00:00.000Z'],
    ['2026-07-01T10:20:30.5Z', '2026-07-01T10:20:30.500Z'],
    ['2026-07-01T10:20:30.123000Z', '2026-07-01T10:20:30.123Z'],
    ['2026-07-01T10:20:30.123001Z', '2026-07-01T10:20:30.124Z'],
    ['2026-07-01T17:20:59,9999+07:00', '2026-07-01T10:21:00.000Z'],
    ['9999-12-31T23:59:59.9999Z', '9999-12-31T23:59:59.999Z'],
  ])('as a start, %s is %s', (text, iso) => {
    expect(parseIsoStart(text)?.toISOString()).toBe(iso)
  })

  it.each([
    '',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-07-00',
    '2026-7-1',
    '2026-07',
    '2026-07-01T',
    '2026-07-01T10',
    '2026-07-01T24:00:00Z',
    '2026-07-01T10:60Z',
    '2026-07-01T10:20:60Z',
    '2026-07-01T10:20:30+24:00',
    '2026-07-01T10:20:30+07:60',
    '2026-07-01Z',
    '0000-01-01',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '01/07/2026',
    '1751328000000',
    ' 2026-07-01',
    '2026-07-01\n',
  ])('%j is no instant', (text) => {
    expect(parseIsoInstant(text)).toBeUndefined()
  })

  it('reads back every timestamp we write, in any offset', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -14 * 60, max: 14 * 60 }), (instant, offsetMinutes) => {
        expect(parseIsoInstant(instant.toISOString())).toEqual(instant)
        const local = new Date(instant.getTime() + offsetMinutes * 60_000).toISOString().slice(0, -1)
        const hours = String(Math.floor(Math.abs(offsetMinutes) / 60)).padStart(2, '0')
        const minutes = String(Math.abs(offsetMinutes) % 60).padStart(2, '0')
        const sign = offsetMinutes < 0 ? '-' : '+'
        expect(parseIsoInstant(`${local}${sign}${hours}:${minutes}`)).toEqual(instant)
      }),
    )
  })
})
