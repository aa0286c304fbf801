import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createIds } from '../../lib/object-id.ts'
import { boundAt, keptFrom, monthOf, partName, spansToMake, timeOf } from './months.ts'

const moment = fc.date({
  min: new Date('2000-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
})

describe('months of a divided table', () => {
  it('an id of a moment is within the month of that moment, and its bound names the moment', () => {
    fc.assert(
      fc.property(moment, (at) => {
        const id = createIds({ now: () => at }).next()
        expect(boundAt(monthOf(at)) <= id && id < boundAt(monthOf(at, 1))).toBe(true)
        expect(timeOf(boundAt(monthOf(at)))).toEqual(monthOf(at))
      }),
    )
  })

  it('the parts made follow the last one without a gap, and reach three months behind this one', () => {
    fc.assert(
      fc.property(moment, moment, (lastIn, now) => {
        const last = boundAt(monthOf(lastIn))
        const made = spansToMake(last, now)
        const end = boundAt(monthOf(now, 4))
        expect(made.length).toBeLessThanOrEqual(24)
        expect(made.length === 0).toBe(last >= end)
        expect([last, ...made.map(({ to }) => to)].slice(0, -1)).toEqual(made.map(({ from }) => from))
        if (made.length > 0) expect(made.at(-1)!.to).toBe(end)
        const month = boundAt(monthOf(now))
        if (last <= month) expect(made.map(({ from }) => from)).toContain(boundAt(monthOf(now)))
      }),
    )
  })

  it('a month is kept until the given number of whole months has passed', () => {
    const now = new Date('2026-11-24T06:00:00Z')
    expect(timeOf(keptFrom(now, 1)).toISOString()).toBe('2026-10-01T00:00:00.000Z')
    expect(timeOf(keptFrom(now, 12)).toISOString()).toBe('2025-11-01T00:00:00.000Z')
    expect(partName('message_events', { from: boundAt(monthOf(now, 2)) })).toBe('message_events_2027_01')
  })
})
