import { type RawBuilder, sql } from 'kysely'
import type { CountDays, CountEdge } from '../../lib/lists/count-plan.ts'

/**
 * The condition on the column `day` for the rows of daily counters that cover a plan's whole days. Without bounds, it
 * selects the one row for all days.
 */
export function isCountedDay(day: RawBuilder<unknown>, { from, to }: CountDays): RawBuilder<unknown> {
  if (from === undefined && to === undefined) return sql`${day} = '-infinity'`
  const after = from?.isIncluded ? sql`>=` : sql`>`
  const before = to?.isIncluded ? sql`<=` : sql`<`
  const start = from === undefined ? sql`${day} > '-infinity'` : sql`${day} ${after} ${from.day}::date`
  return to === undefined ? start : sql`${start} and ${day} ${before} ${to.day}::date`
}

/** Whether the instant `at` is in the part of a day whose rows a plan counts one by one. */
export function isInEdge(at: RawBuilder<unknown>, edge: CountEdge): RawBuilder<unknown> {
  if (edge.part === 'within') {
    return sql`${at} >= ${edge.from}::timestamptz and ${at} <= ${edge.to}::timestamptz`
  }
  const bound = sql`${edge.at}::timestamptz`
  const midnight = sql`${edge.day}::date::timestamp at time zone 'UTC'`
  const nextMidnight = sql`(${edge.day}::date + 1)::timestamp at time zone 'UTC'`
  switch (edge.part) {
    case 'before':
      return sql`${at} >= ${midnight} and ${at} < ${bound}`
    case 'until':
      return sql`${at} >= ${midnight} and ${at} <= ${bound}`
    case 'after':
      return sql`${at} > ${bound} and ${at} < ${nextMidnight}`
    case 'from':
      return sql`${at} >= ${bound} and ${at} < ${nextMidnight}`
  }
}
