import { describe, expect, it } from 'vitest'
import { periodOf } from '../reports/period.ts'
import { comparisonsOf, daysLeft, lastDayOf } from './rules.ts'

/** 14:37:05 on Sunday the 22nd in Vietnam. */
const NOW = new Date('2026-11-22T07:37:05.250Z')

describe('what a period is compared with', () => {
  it('today: yesterday and the same weekday a week before, up to the same time', () => {
    expect(comparisonsOf(periodOf({ days: 1 }, NOW), NOW)).toEqual([
      {
        from: new Date('2026-11-20T17:00:00Z'),
        until: new Date('2026-11-21T07:37:05.250Z'),
        firstDay: '2026-11-21',
        wholeDays: 0,
        cut: { day: '2026-11-21', hour: 14, from: new Date('2026-11-21T07:00:00Z') },
      },
      {
        from: new Date('2026-11-14T17:00:00Z'),
        until: new Date('2026-11-15T07:37:05.250Z'),
        firstDay: '2026-11-15',
        wholeDays: 0,
        cut: { day: '2026-11-15', hour: 14, from: new Date('2026-11-15T07:00:00Z') },
      },
    ])
  })

  it('a week that goes on: the six days and part of a day before', () => {
    expect(comparisonsOf(periodOf({ days: 7 }, NOW), NOW)).toEqual([
      {
        from: new Date('2026-11-08T17:00:00Z'),
        until: new Date('2026-11-15T07:37:05.250Z'),
        firstDay: '2026-11-09',
        wholeDays: 6,
        cut: { day: '2026-11-15', hour: 14, from: new Date('2026-11-15T07:00:00Z') },
      },
    ])
  })

  it('past days: as many whole days; future days: none', () => {
    const [over] = comparisonsOf(periodOf({ from: '2026-11-01', days: 10 }, NOW), NOW)
    expect(over).toMatchObject({ firstDay: '2026-10-22', wholeDays: 10, cut: undefined })
    expect(over!.until).toEqual(new Date('2026-10-31T16:59:59.999Z'))
    const [ahead] = comparisonsOf(periodOf({ from: '2026-12-01', days: 10 }, NOW), NOW)
    expect(ahead).toMatchObject({ wholeDays: 0, cut: undefined })
  })

  it('the last day that has begun', () => {
    expect(lastDayOf(periodOf({ days: 7 }, NOW), NOW)).toBe('2026-11-22')
    expect(lastDayOf(periodOf({ from: '2026-11-01', days: 10 }, NOW), NOW)).toBe('2026-11-10')
    expect(lastDayOf(periodOf({ from: '2026-12-01', days: 10 }, NOW), NOW)).toBe('2026-12-01')
  })
})

describe('how long a balance lasts', () => {
  it('whole days at the rate of seven days; forever if nothing was spent', () => {
    expect(daysLeft(10_000, 7_000)).toBe(10)
    expect(daysLeft(10_000, 7_001)).toBe(9)
    expect(daysLeft(10_000, 0)).toBeNull()
    expect(daysLeft(-200, 7_000)).toBe(0)
  })
})
