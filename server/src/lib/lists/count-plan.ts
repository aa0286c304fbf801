/** A stretch of one UTC day whose records are counted one by one, and added or taken off. Instants in ISO 8601. */
export type CountEdge =
  | { sign: 1 | -1; part: 'before' | 'until' | 'after' | 'from'; day: string; at: string }
  | { sign: 1; part: 'within'; from: string; to: string }

/** Days as `YYYY-MM-DD` in UTC; an absent end is open. */
export type CountDays = {
  from?: { day: string; isIncluded: boolean }
  to?: { day: string; isIncluded: boolean }
}

/** Which daily counters make a period's count, and what to correct at its edges. No `days`: no counter. */
export type CountPlan = { days: CountDays | undefined; edges: CountEdge[] }

const DAY_MS = 86_400_000

/**
 * How the records from `start` to `end`, both included, are counted by daily counters (E7, E12): whole UTC days
 * from the counters, and of each day the period cuts, the shorter part by an index range, added or taken
 * off. An end of 23:59:59.999 thus costs the counters of the day and an empty range. Today is as long as it has lasted
 * at `now`: a period that ends now counts none of today's records one by one.
 *
 * Measured on PostgreSQL with 100,000 orders of 90 days: the counts of 30 days take 0.5 ms by plan and 26 ms when each
 * order is counted, those of all 0.7 ms and 70 ms. A day that is cut costs 0.4 ms for its 1,100 orders, the shorter
 * part half of that at most: it matters to shops with ten times as many.
 */
export function planCount(start: Date | undefined, end: Date | undefined, now: Date): CountPlan {
  const isInFirstHalf = (instant: Date) =>
    timeOf(instant) < (dayOf(instant) === dayOf(now) ? timeOf(now) : DAY_MS) / 2
  if (start !== undefined && end !== undefined) {
    if (start > end) return { days: undefined, edges: [] }
    if (dayOf(start) === dayOf(end) && isInFirstHalf(start) === isInFirstHalf(end)) {
      const edge: CountEdge = { sign: 1, part: 'within', from: start.toISOString(), to: end.toISOString() }
      return { days: undefined, edges: [edge] }
    }
  }
  const days: CountDays = {}
  const edges: CountEdge[] = []
  if (start !== undefined) {
    const day = dayOf(start)
    const at = start.toISOString()
    const isIncluded = isInFirstHalf(start)
    days.from = { day, isIncluded }
    if (!isIncluded) edges.push({ sign: 1, part: 'from', day, at })
    else if (timeOf(start) > 0) edges.push({ sign: -1, part: 'before', day, at })
  }
  if (end !== undefined) {
    const day = dayOf(end)
    const at = end.toISOString()
    const isIncluded = !isInFirstHalf(end)
    days.to = { day, isIncluded }
    edges.push(isIncluded ? { sign: -1, part: 'after', day, at } : { sign: 1, part: 'until', day, at })
  }
  return { days, edges }
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

function timeOf(instant: Date): number {
  return ((instant.getTime() % DAY_MS) + DAY_MS) % DAY_MS
}
