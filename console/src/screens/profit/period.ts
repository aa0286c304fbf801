import { today } from '../../format.ts'
import { queryOf as daysOf } from '../overview/period.ts'

export const PERIODS = ['today', 'yesterday', '7', '30', 'month', 'lastMonth'] as const
/** Opens the goods without a cost, as `goods` in the screen's address. */
export const WITHOUT_COST = 'without-cost'
export type PeriodName = (typeof PERIODS)[number]

/** The query for the report. Days are in the shop's time zone. */
export function queryOf(period: PeriodName, now = today()): { from: string; days: number } {
  if (period !== 'month' && period !== 'lastMonth') return daysOf(period, now)
  const [year, month, day] = now.split('-').map(Number) as [number, number, number]
  if (period === 'month') return { from: dayText(year, month - 1), days: day }
  return { from: dayText(year, month - 2), days: new Date(Date.UTC(year, month - 1, 0)).getUTCDate() }
}

/** The first day of a month, counted from 0. A negative month is in the year before. */
function dayText(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
}
