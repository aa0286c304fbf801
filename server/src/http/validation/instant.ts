import { invalidField, invalidQuery } from '../../errors.ts'
import { parseIsoInstant, parseIsoStart } from '../../lib/time/dates.ts'

const DAY_MS = 86_400_000
/** How far a caller's clock may be ahead of the service's. */
const AHEAD_MS = 30_000

/**
 * Reads an ISO 8601 instant within the last `days` from the body's field `key`. An instant slightly in the future,
 * because the caller's clock is ahead by at most 30 s, is replaced by now, so it never follows what is written next.
 * @throws ValidationError
 */
export function recentInstant(text: string, key: string, { now, days }: { now: Date; days: number }): Date {
  const instant = parseIsoInstant(text)
  if (instant === undefined) throw invalidField([key], 'date.format')
  const ageMs = now.getTime() - instant.getTime()
  if (ageMs < -AHEAD_MS || ageMs > days * DAY_MS) throw invalidField([key], 'date.lastDays', { limit: days })
  return ageMs < 0 ? now : instant
}

/**
 * Reads an ISO 8601 instant from a query parameter, if there is one. A bare date means midnight UTC.
 * @throws ValidationError
 */
export function optionalInstant(
  text: string | undefined,
  parameter: string,
  parse = parseIsoInstant,
): Date | undefined {
  if (text === undefined) return undefined
  const instant = parse(text)
  if (instant === undefined) throw invalidQuery(parameter, 'date.format')
  return instant
}

/**
 * Reads the start of a range from a query parameter, as {@link optionalInstant}: nothing before it is in the range, not
 * even by less than a millisecond.
 */
export function optionalStart(text: string | undefined, parameter: string): Date | undefined {
  return optionalInstant(text, parameter, parseIsoStart)
}
