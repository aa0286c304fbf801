import { isObjectId, type ObjectId } from '../object-id.ts'
import { cursorParts, cursorText } from './cursor.ts'

/**
 * The cursors of feeds that are read by transaction, behind the oldest that is open (decision 0026): what changed (G-66) and
 * events (G-68).
 */

/** How long a cursor is good for. Rows are kept a day longer: one may be written that long before it commits. */
const CURSOR_MS = 30 * 86_400_000
/** How long the rows of a feed are kept. */
export const FEED_KEPT_MS = CURSOR_MS + 86_400_000

export type Feed = 'changes' | 'events'

/** A row of a feed: `xid` is the number of its transaction, `createdUs` its time in microseconds. */
export type Position<Type extends string = string> = {
  xid: string
  type: Type | ''
  recordId: ObjectId | ''
  createdUs: number
}

/**
 * What a cursor holds: the last row that was given (or a transaction that none follows yet, without a row), the database it
 * is of, and the time up to which everything was given.
 */
export type FeedCursor<Type extends string = string> = {
  position: Position<Type>
  databaseId: string
  seenMs: number
}

/** The cursor as text, for its shop and feed alone. */
export function writeFeedCursor(feed: Feed, shopId: ObjectId, cursor: FeedCursor): string {
  const { position, databaseId, seenMs } = cursor
  const { xid, type, recordId, createdUs } = position
  return cursorText(shopId, nameOf(feed), [databaseId, xid, type, recordId, createdUs, seenMs])
}

/** The cursor in a text; undefined for what is none, of another shop, feed or version, or of no type of the feed. */
export function readFeedCursor<Type extends string>(
  feed: Feed,
  shopId: ObjectId,
  text: string,
  types: readonly Type[],
): FeedCursor<Type> | undefined {
  const parts = cursorParts(text, shopId, nameOf(feed))
  if (parts?.length !== 6) return undefined
  const [databaseId, xid, type, recordId, createdUs, seenMs] = parts
  const isPlace =
    type === ''
      ? recordId === ''
      : types.includes(type as Type) && typeof recordId === 'string' && isObjectId(recordId)
  if (!isPlace || !isNumeral(databaseId) || !isNumeral(xid) || !isTime(createdUs) || !isTime(seenMs))
    return undefined
  return { position: { xid, type, recordId, createdUs } as Position<Type>, databaseId, seenMs }
}

/**
 * Whether all that followed a cursor is still there.
 * @param found what the database says: its own id, the next transaction's number, and the time of the cursor's row
 */
export function isCursorGood(
  { position, databaseId, seenMs }: FeedCursor,
  found: { databaseId: string; nextXid: string; createdUs: number | null },
  now: Date,
): boolean {
  const oldestMs = now.getTime() - CURSOR_MS
  if (databaseId !== found.databaseId || seenMs < oldestMs) return false
  // From a later time of a database that was put back since.
  if (BigInt(position.xid) > BigInt(found.nextXid)) return false
  const isKept = position.type !== '' && position.createdUs / 1_000 >= oldestMs
  return !isKept || found.createdUs === position.createdUs
}

function nameOf(feed: Feed): string {
  return `${feed}.1`
}

/** At most 19 digits, so that it fits the database's numbers. */
function isNumeral(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,19}$/.test(value)
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
