import { afterEach, describe, expect, it, vi } from 'vitest'
import { isNoSuchDay, lastMonths, readDay, readMoment, writeDay, writeMoment } from '../src/dates.ts'
import { newDraft } from '../src/screens/messages/audiences/conditions.ts'

describe('a typed date', () => {
  it.each([
    ['22/11/2026', '2026-11-22'],
    ['1/2/2026', '2026-02-01'],
    ['01022026', '2026-02-01'],
    ['29-02-2028', '2028-02-29'],
    [' 22.11.26 ', '2026-11-22'],
    ['1/2/90', '2090-02-01'],
    ['1990-02-01', '1990-02-01'],
    ['2026-12-01T09:30', '2026-12-01'],
  ])('%s is %s', (text, day) => {
    expect(readDay(text)).toBe(day)
    expect(readDay(writeDay(day))).toBe(day)
  })

  it.each([
    '',
    '31/02/2026',
    '11/22/2026',
    '0/1/2026',
    '22/11',
    '2026-11',
    '2026-02-31',
    '22/11/202',
    'hôm nay',
  ])('“%s” is none', (text) => {
    expect(readDay(text)).toBeUndefined()
  })

  it.each([
    ['22/11/2026 9:30', '2026-11-22T09:30'],
    ['22/11/2026, 21h05', '2026-11-22T21:05'],
    ['22112026 00:00', '2026-11-22T00:00'],
    ['22/11/2026 9h', '2026-11-22T09:00'],
    ['22/11/2026 9:5', '2026-11-22T09:05'],
    ['2026-12-01T09:30', '2026-12-01T09:30'],
    ['2026-12-01 9h30', '2026-12-01T09:30'],
  ])('%s is the time %s', (text, moment) => {
    expect(readMoment(text)).toBe(moment)
    expect(readMoment(writeMoment(moment))).toBe(moment)
  })

  it.each([
    '22/11/2026',
    '22/11/2026 24:00',
    '22/11/2026 9:60',
    '31/02/2026 9:00',
    '9:30',
    '22/11/2026 9',
    '2026-12-01',
  ])('“%s” is no time', (text) => {
    expect(readMoment(text)).toBeUndefined()
  })
})

it.each([
  ['1/2/90', '1990-02-01'],
  ['30.11.26', '2026-11-30'],
  ['1/12/26', '1926-12-01'],
  ['1/2/2090', '2090-02-01'],
])('“%s” as a day until 30 November 2026 is %s', (text, day) => {
  expect(readDay(text, '2026-11-30')).toBe(day)
})

it.each([
  ['31/02/2027', readDay, true],
  ['31022027', readDay, true],
  ['31.2.27', readDay, true],
  ['31/02/2027 08:00', readMoment, true],
  ['28/02/2027', readDay, false],
  ['31/02/202', readDay, false],
  ['2027-02-31', readDay, true],
  ['2027-02-31T08:00', readMoment, true],
  ['31/02/2027', readMoment, false],
  ['31/02/2027 24:00', readMoment, false],
] as const)('whether the day of “%s” does not exist', (text, read, expected) => {
  expect(isNoSuchDay(text, read)).toBe(expected)
})

it('the last months begin with this one and go over new years', () => {
  expect(lastMonths('2027-01-31', 3)).toEqual([
    { value: '2027-01', label: '01/2027' },
    { value: '2026-12', label: '12/2026' },
    { value: '2026-11', label: '11/2026' },
  ])
})

describe('the month of a new condition on birthdays', () => {
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllEnvs()
  })

  it('is the shop’s, whatever the browser’s zone is', () => {
    vi.stubEnv('TZ', 'America/New_York')
    vi.useFakeTimers({ now: new Date('2026-11-30T17:30:00Z') })
    expect(newDraft('birthday').month).toBe(12)
  })
})
