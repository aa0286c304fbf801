import type { ObjectId } from '../../lib/object-id.ts'

/**
 * Parts are created this many months ahead (in UTC), so that even if retention does not run for a long time, the
 * current month has its part.
 */
const MONTHS_AHEAD = 3
/**
 * If more months than this lie between the last part and now, one part covers the rest: a clock that jumps must not
 * create hundreds of parts.
 */
const MOST_MONTHS = 24

/** The start of the UTC month that is `months` after the month of `at`. */
export function monthOf(at: Date, months = 0): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months))
}

/** The lowest id that can be made at this moment: ids begin with their time. */
export function boundAt(at: Date): ObjectId {
  return Math.floor(at.getTime() / 1000)
    .toString(16)
    .padStart(8, '0')
    .padEnd(24, '0')
}

/** The moment of such a lowest id, the reverse of {@link boundAt}. */
export function timeOf(bound: ObjectId): Date {
  return new Date(Number.parseInt(bound.slice(0, 8), 16) * 1000)
}

/** The ids in a part: from `from` on (null: from the beginning), and below `to`. */
export type Span = { from: ObjectId | null; to: ObjectId }

/** The parts to create after the last one, which ends at `last`, so that each month up to {@link MONTHS_AHEAD} has one. */
export function spansToMake(last: ObjectId | undefined, now: Date): (Span & { from: ObjectId })[] {
  const end = monthOf(now, MONTHS_AHEAD + 1)
  const starts: Date[] = []
  for (let at = last === undefined ? monthOf(now) : timeOf(last); at < end; at = monthOf(at, 1))
    starts.push(at)
  const skipped = Math.max(0, starts.length - MOST_MONTHS)
  const kept = skipped === 0 ? starts : [starts[0]!, ...starts.slice(skipped + 1)]
  return kept.map((at, n) => ({ from: boundAt(at), to: boundAt(kept[n + 1] ?? end) }))
}

/** The name of a table's part, such as `message_events_2027_01`. */
export function partName(table: string, { from }: { from: ObjectId }): string {
  return `${table}_${timeOf(from).toISOString().slice(0, 7).replace('-', '_')}`
}

/** The lowest id that retention keeps. A month's rows are kept until `months` whole months have passed since its end. */
export function keptFrom(now: Date, months: number): ObjectId {
  return boundAt(monthOf(now, -months))
}
