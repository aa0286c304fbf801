import type { ObjectId } from '../../lib/object-id.ts'

/** Months of UTC are made this far ahead, so that a service whose rounds stand still for long still finds its month. */
const MONTHS_AHEAD = 3
/** More months than these between the last part and now are one part: a clock that jumped must not make hundreds. */
const MOST_MONTHS = 24

/** The start of a month of UTC, `months` after the one that `at` is in. */
export function monthOf(at: Date, months = 0): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months))
}

/** The least id of a moment: ids begin with their time. */
export function boundAt(at: Date): ObjectId {
  return Math.floor(at.getTime() / 1000)
    .toString(16)
    .padStart(8, '0')
    .padEnd(24, '0')
}

/** The moment whose least id this is. */
export function timeOf(bound: ObjectId): Date {
  return new Date(Number.parseInt(bound.slice(0, 8), 16) * 1000)
}

/** What a part holds: ids from `from` on, of all times before with null, and below `to`. */
export type Span = { from: ObjectId | null; to: ObjectId }

/** The parts to make behind the last one, which ends at `last`, so that there is one for each month up to some ahead. */
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

/** What is of a month is kept until so many whole months have passed since its end: the least id that is kept. */
export function keptFrom(now: Date, months: number): ObjectId {
  return boundAt(monthOf(now, -months))
}
