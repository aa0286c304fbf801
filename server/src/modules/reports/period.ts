import { invalidQuery } from '../../errors.ts'
import { dayOf, parseIsoInstant } from '../../lib/time/dates.ts'
import { VIETNAM_OFFSET_MS } from '../../lib/time/vietnam-time.ts'

const DAY_MS = 86_400_000

/**
 * Days in the shop's time zone: `firstDay` is the first, such as `2026-11-01`. As times: from `from` on and before
 * `before`.
 */
export type Period = { firstDay: string; days: number; from: Date; before: Date }

/**
 * The period of a report: `days` days from `from` on, or, without it, the last days, today included.
 * @throws ValidationError naming `from` if it is not a valid day.
 */
export function periodOf(asked: { from?: string | undefined; days: number }, now: Date): Period {
  const { days } = asked
  const today = dayOf(now)
  const firstMs =
    asked.from === undefined
      ? Date.parse(today) - (days - 1) * DAY_MS
      : parseIsoInstant(asked.from)?.getTime()
  if (firstMs === undefined) throw invalidQuery('from', 'date.format')
  const fromMs = firstMs - VIETNAM_OFFSET_MS
  return {
    firstDay: dayOf(new Date(fromMs)),
    days,
    from: new Date(fromMs),
    before: new Date(fromMs + days * DAY_MS),
  }
}
