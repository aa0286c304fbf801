import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CountPlan, planCount } from './count-plan.ts'

const DAY_MS = 86_400_000

/** Counts instants by the plan, as the list's SQL does. */
function carryOut({ days, edges }: CountPlan, instants: Date[]): number {
  let n = 0
  if (days !== undefined) {
    n += instants.filter((instant) => {
      const day = instant.toISOString().slice(0, 10)
      const { from, to } = days
      return (
        (from === undefined || (from.isIncluded ? day >= from.day : day > from.day)) &&
        (to === undefined || (to.isIncluded ? day <= to.day : day < to.day))
      )
    }).length
  }
  for (const edge of edges) {
    n +=
      edge.sign *
      instants.filter((instant) => {
        if (edge.part === 'within') return instant >= new Date(edge.from) && instant <= new Date(edge.to)
        const at = new Date(edge.at)
        if (instant.toISOString().slice(0, 10) !== edge.day) return false
        if (edge.part === 'before') return instant < at
        if (edge.part === 'until') return instant <= at
        return edge.part === 'after' ? instant > at : instant >= at
      }).length
  }
  return n
}

const noon = Date.parse('2026-03-01T12:00:00.000Z')
const instant = fc
  .tuple(
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom(0, 1, -1, DAY_MS / 2, DAY_MS / 2 - 1, 40_000_000, 50_000_000),
  )
  .map(([day, time]) => new Date(noon - DAY_MS / 2 + day * DAY_MS + time))

describe('E12 planCount', () => {
  it('comes to the plain count of the instants from start to end, both included', () => {
    const bound = fc.option(instant, { nil: undefined })
    fc.assert(
      fc.property(
        fc.array(instant, { maxLength: 40 }),
        bound,
        bound,
        instant,
        (instants, start, end, now) => {
          const inside = instants.filter(
            (each) => (start === undefined || each >= start) && (end === undefined || each <= end),
          )
          expect(carryOut(planCount(start, end, now), instants)).toBe(inside.length)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('counts at most half a day one by one at each end', () => {
    const later = new Date('2026-06-01')
    expect(planCount(new Date('2026-03-01'), new Date('2026-03-31T23:59:59.999Z'), later)).toEqual({
      days: { from: { day: '2026-03-01', isIncluded: true }, to: { day: '2026-03-31', isIncluded: true } },
      edges: [{ sign: -1, part: 'after', day: '2026-03-31', at: '2026-03-31T23:59:59.999Z' }],
    })
    expect(planCount(undefined, new Date('2026-03-31'), later).edges).toEqual([
      { sign: 1, part: 'until', day: '2026-03-31', at: '2026-03-31T00:00:00.000Z' },
    ])
    expect(planCount(undefined, undefined, later)).toEqual({ days: {}, edges: [] })
  })

  it('counts none of today one by one for a period that ends now, and at most half of what there is of today', () => {
    const now = new Date('2026-03-31T09:00:00.000Z')
    expect(planCount(new Date('2026-03-01'), now, now).edges).toEqual([
      { sign: -1, part: 'after', day: '2026-03-31', at: '2026-03-31T09:00:00.000Z' },
    ])
    expect(planCount(new Date('2026-03-31T08:00:00.000Z'), undefined, now).edges).toEqual([
      { sign: 1, part: 'from', day: '2026-03-31', at: '2026-03-31T08:00:00.000Z' },
    ])
  })
})
