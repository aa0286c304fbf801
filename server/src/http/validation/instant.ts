import { invalidQuery } from '../../errors.ts'
import { parseIsoInstant } from '../../lib/dates.ts'

/** The instant that a query parameter names in ISO 8601; a bare date is its midnight in UTC. @throws ValidationError */
export function optionalInstant(text: string | undefined, parameter: string): Date | undefined {
  if (text === undefined) return undefined
  const instant = parseIsoInstant(text)
  if (instant === undefined) throw invalidQuery(parameter, 'date.format')
  return instant
}
