import { today } from '../../format.ts'

export const PERIODS = ['today', 'yesterday', '7', '30', '90', 'month', 'lastMonth'] as const
export type PeriodName = (typeof PERIODS)[number]
/** How a period is worded: as a day, or by its number of days. */
export type ShownPeriod = 'today' | 'yesterday' | `${number}`

const DAY_MS = 86_400_000

/** The day that is `days` before another; days are in the shop's time zone. */
export function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10)
}

/** The period of the days that are shown, which differs from the chosen one until the service has answered. */
export function periodOf(days: { day: string }[], now = today()): ShownPeriod {
  if (days.length > 1) return `${days.length}`
  return days[0]?.day === now ? 'today' : 'yesterday'
}

/** The query for the service. */
export function queryOf(period: PeriodName, now = today()): { from: string; days: number } {
  const [year, month, day] = now.split('-').map(Number) as [number, number, number]
  if (period === 'today') return { from: now, days: 1 }
  if (period === 'yesterday') return { from: dayBefore(now, 1), days: 1 }
  if (period === 'month') return { from: firstDayOf(year, month - 1), days: day }
  if (period === 'lastMonth')
    return { from: firstDayOf(year, month - 2), days: new Date(Date.UTC(year, month - 1, 0)).getUTCDate() }
  return { from: dayBefore(now, Number(period) - 1), days: Number(period) }
}

/** The first day of a month, counted from 0. A negative month is in the year before. */
function firstDayOf(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
}
