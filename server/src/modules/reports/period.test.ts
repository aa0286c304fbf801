import { describe, expect, it } from 'vitest'
import { periodOf } from './period.ts'

describe('the period of a report', () => {
  it('is the last days of the shop’s zone, today included', () => {
    // 02:00 on the 22nd in Vietnam.
    const period = periodOf({ days: 3 }, new Date('2026-11-21T19:00:00Z'))
    expect(period).toEqual({
      firstDay: '2026-11-20',
      days: 3,
      from: new Date('2026-11-19T17:00:00Z'),
      before: new Date('2026-11-22T17:00:00Z'),
    })
  })

  it('begins at the midnight of the day that it is asked for', () => {
    const period = periodOf({ from: '2026-10-01', days: 31 }, new Date('2026-11-21T19:00:00Z'))
    expect(period).toMatchObject({
      firstDay: '2026-10-01',
      from: new Date('2026-09-30T17:00:00Z'),
      before: new Date('2026-10-31T17:00:00Z'),
    })
    expect(() => periodOf({ from: '2026-02-30', days: 1 }, new Date())).toThrow('"from"')
  })
})
