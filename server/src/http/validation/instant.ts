import { invalidField, invalidQuery } from '../../errors.ts'
import { parseIsoInstant } from '../../lib/time/dates.ts'

const DAY_MS = 86_400_000
/** As far as the clock of a caller may be ahead of the service's. */
const AHEAD_MS = 30_000

/**
 * The instant of the last `days` that the body's field `key` names in ISO 8601. Now, for one that is not over yet by the clock of a
 * caller which is a little ahead: never later, where it would come before what is written next.
 * @throws ValidationError
 */
export function recentInstant(text: string, key: string, { now, days }: { now: Date; days: number }): Date {
  const instant = parseIsoInstant(text)
  if (instant === undefined) throw invalidField([key], 'date.format')
  const ageMs = now.getTime() - instant.getTime()
  if (ageMs < -AHEAD_MS || ageMs > days * DAY_MS) throw invalidField([key], 'date.lastDays', { limit: days })
  return ageMs < 0 ? now : instant
}

/** The instant that a query parameter names in ISO 8601; a bare date is its midnight in UTC. @throws ValidationError */
export function optionalInstant(text: string | undefined, parameter: string): Date | undefined {
  if (text === undefined) return undefined
  const instant = parseIsoInstant(text)
  if (instant === undefined) throw invalidQuery(parameter, 'date.format')
  return instant
}
