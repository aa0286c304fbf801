import { VIETNAM_OFFSET_MS } from '../lib/time/vietnam-time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The shop is open from 8:00 to 21:30 in Vietnam. */
const OPENS_MS = 8 * HOUR_MS
const OPEN_MS = 13.5 * HOUR_MS

/**
 * The number of orders of today, yesterday and the same day of last week, which the console's home compares, by days
 * ago; the other days share the rest.
 */
const BUSY: Record<number, number> = { 0: 14, 1: 12, 7: 11 }

/**
 * The times of the demo's orders, oldest first: `orders` times in the last `days` days up to `now`, while the shop was
 * open, most of them around noon and in the early evening.
 */
export function orderMoments(now: Date, orders: number, days: number): Date[] {
  const midnight = now.getTime() - ((now.getTime() + VIETNAM_OFFSET_MS) % DAY_MS)
  const dayOf = (daysAgo: number, many: number) =>
    Array.from({ length: many }, (_, n) => midnight - daysAgo * DAY_MS + momentOfDay((n + 0.5) / many))
  const busy = Object.entries(BUSY).flatMap(([daysAgo, many]) => dayOf(Number(daysAgo), many))
  const begun = busy.filter((moment) => moment <= now.getTime())
  const quiet = Array.from({ length: days - 1 }, (_, n) => n + 1).filter((daysAgo) => !(daysAgo in BUSY))
  const rest = orders - begun.length
  const others = quiet.flatMap((daysAgo, n) =>
    dayOf(daysAgo, Math.floor(((n + 1) * rest) / quiet.length) - Math.floor((n * rest) / quiet.length)),
  )
  return [...begun, ...others].sort((a, b) => a - b).map((moment) => new Date(moment))
}

/** The milliseconds after midnight at which a fraction of the day's orders, from 0 to 1, has arrived. */
function momentOfDay(share: number): number {
  return Math.round(OPENS_MS + OPEN_MS * (share + 0.07 * Math.sin(4 * Math.PI * share)))
}
