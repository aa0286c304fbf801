import { today } from '../../format.ts'

export const PERIODS = ['today', 'yesterday', '7', '30', '90'] as const
export type PeriodName = (typeof PERIODS)[number]

const DAY_MS = 86_400_000

/** The day that is `days` before another; days are in the shop's time zone. */
export function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10)
}

/** The period of the days that are shown, which differs from the chosen one until the service has answered. */
export function periodOf(days: { day: string }[], now = today()): PeriodName {
  if (days.length === 1) return days[0]!.day === now ? 'today' : 'yesterday'
  return PERIODS.find((one) => one === String(days.length)) ?? '30'
}

/** The query for the service. */
export function queryOf(period: PeriodName, now = today()): { from: string; days: number } {
  if (period === 'today') return { from: now, days: 1 }
  if (period === 'yesterday') return { from: dayBefore(now, 1), days: 1 }
  return { from: dayBefore(now, Number(period) - 1), days: Number(period) }
}
