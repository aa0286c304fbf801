import { describe, expect, it } from 'vitest'
import { roundUp } from '../src/components/plots/round-up.ts'
import { formatShort } from '../src/format.ts'
import { rateOf } from '../src/screens/messages/results/days.ts'
import { dayBefore, periodOf, queryOf } from '../src/screens/overview/period.ts'

describe('the period of the home', () => {
  it('is a day or the last days, today included', () => {
    expect(queryOf('today', '2026-11-23')).toEqual({ from: '2026-11-23', days: 1 })
    expect(queryOf('yesterday', '2026-11-01')).toEqual({ from: '2026-10-31', days: 1 })
    expect(queryOf('7', '2026-01-03')).toEqual({ from: '2025-12-28', days: 7 })
  })

  it('is known from the days that are shown', () => {
    const now = '2026-03-01'
    const shownOf = (from: string, days: number) =>
      Array.from({ length: days }, (_, n) => ({ day: dayBefore(from, -n) }))
    for (const period of ['today', 'yesterday', '7', '90'] as const) {
      const { from, days } = queryOf(period, now)
      expect(periodOf(shownOf(from, days), now)).toBe(period)
    }
    // On its first day, a month is worded as that day.
    expect(periodOf(shownOf('2026-03-01', queryOf('month', now).days), now)).toBe('today')
    expect(periodOf(shownOf('2026-02-01', queryOf('lastMonth', now).days), now)).toBe('28')
  })
})

describe('the axis of a plot', () => {
  it('ends at a round number that holds every bar', () => {
    expect([0, 1, 3, 7, 950_000, 1_000_000, 1_000_001].map(roundUp)).toEqual([
      2, 2, 4, 8, 1_000_000, 1_000_000, 2_000_000,
    ])
  })

  it('has a whole number at half of its height, for whatever number of messages', () => {
    const ends = Array.from({ length: 1_001 }, (_, count) => roundUp(count))
    expect(ends.filter((end, count) => end < count || end % 2 !== 0)).toEqual([])
    expect([4.5, 5, 45, 401].map(roundUp)).toEqual([6, 6, 50, 500])
  })
})

describe('the delivery rate', () => {
  it('is of all messages, also of those that failed', () => {
    expect(rateOf({ accepted: 92, delivered: 92, failed: 8 })).toBe(0.92)
    expect(rateOf({ accepted: 4, delivered: 3, failed: 0 })).toBe(0.75)
    expect(rateOf({ accepted: 0, delivered: 0, failed: 2 })).toBe(0)
    expect(rateOf({ accepted: 0, delivered: 0, failed: 0 })).toBeUndefined()
  })
})

describe('an amount at an axis', () => {
  it('is shortened as shops write it, in both languages', () => {
    const short = (value: number) => [formatShort(value, 'vi'), formatShort(value, 'en')]
    expect([0, 950, 50_000, 2_500, 5_000_000, 2_500_000, 1_200_000_000].map(short)).toEqual([
      ['0', '0'],
      ['950', '950'],
      ['50k', '50K'],
      ['2,5k', '2.5K'],
      ['5 tr', '5M'],
      ['2,5 tr', '2.5M'],
      ['1,2 tỷ', '1.2B'],
    ])
  })
})
