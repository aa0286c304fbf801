import { dayOf } from '../../lib/time/dates.ts'
import type { Period } from '../reports/period.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/**
 * A time range that a period's sales are compared with, both ends included: `wholeDays` from `firstDay` on, and the
 * part of the following day given by `cut`: the hours before `hour`, and the orders from `from` to the end of the
 * range.
 */
export type Comparison = {
  from: Date
  until: Date
  firstDay: string
  wholeDays: number
  cut: { day: string; hour: number; from: Date } | undefined
}

/**
 * The ranges that a period is compared with: for one day, the day before and the same weekday a week before; for
 * several days, the same number of days before them. A period that has not ended is compared up to the same time: at
 * 14:37, yesterday ends at 14:37.
 */
export function comparisonsOf({ days, from, before }: Period, now: Date): Comparison[] {
  const shifts = days === 1 ? [1, 7] : [days]
  return shifts.map((shift) => {
    const begin = from.getTime() - shift * DAY_MS
    const until = Math.max(begin - 1, Math.min(now.getTime(), before.getTime() - 1) - shift * DAY_MS)
    const wholeDays = Math.floor((until + 1 - begin) / DAY_MS)
    const lastBegin = begin + wholeDays * DAY_MS
    const hour = Math.floor((until - lastBegin) / HOUR_MS)
    return {
      from: new Date(begin),
      until: new Date(until),
      firstDay: dayOf(new Date(begin)),
      wholeDays,
      cut:
        until < lastBegin
          ? undefined
          : { day: dayOf(new Date(lastBegin)), hour, from: new Date(lastBegin + hour * HOUR_MS) },
    }
  })
}

/** The last day of a period that has begun, in the shop's time zone; the period's first day if none has begun. */
export function lastDayOf({ from, before }: Period, now: Date): string {
  return dayOf(new Date(Math.max(from.getTime(), Math.min(now.getTime(), before.getTime() - 1))))
}

/** How many whole days a balance lasts if messages keep costing `spent` in seven days; null: indefinitely. */
export function daysLeft(balance: number, spent: number): number | null {
  return spent === 0 ? null : Math.max(0, Math.floor((balance * 7) / spent))
}
