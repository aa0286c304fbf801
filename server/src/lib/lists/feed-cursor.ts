import { isObjectId, type ObjectId } from '../object-id.ts'
import { cursorParts, cursorText } from './cursor.ts'

/**
 * The cursors of feeds that are read in the order of transactions, up to the oldest open one (decision 0026): changes
 * (G-66) and events (G-68).
 */

/** How long a cursor is valid. Rows are kept a day longer, because a row may have been written that long before its commit. */
const CURSOR_MS = 30 * 86_400_000
/** How long the rows of a feed are kept. */
export const FEED_KEPT_MS = CURSOR_MS + 86_400_000

export type Feed = 'changes' | 'events'

/** A row of a feed. `xid` is the number of its transaction, `createdUs` its time in microseconds. */
export type Position<Type extends string = string> = {
  xid: string
  type: Type | ''
  recordId: ObjectId | ''
  createdUs: number
}

/**
 * The content of a cursor: the last row that was returned, or only a transaction number if no row follows it yet; the
 * id of the database; and the time up to which everything was returned.
 */
export type FeedCursor<Type extends string = string> = {
  position: Position<Type>
  databaseId: string
  seenMs: number
}

/** Writes the cursor as text, valid only for its shop and feed. */
export function writeFeedCursor(feed: Feed, shopId: ObjectId, cursor: FeedCursor): string {
  const { position, databaseId, seenMs } = cursor
  const { xid, type, recordId, createdUs } = position
  return cursorText(shopId, nameOf(feed), [databaseId, xid, type, recordId, createdUs, seenMs])
}

/** Reads a cursor; undefined for other text, for one of another shop, feed or version, and for a type that the feed lacks. */
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
 * Whether everything that followed a cursor is still stored.
 * @param found what the database reports: its own id, the next transaction's number, and the time of the cursor's row
 */
export function isCursorGood(
  { position, databaseId, seenMs }: FeedCursor,
  found: { databaseId: string; nextXid: string; createdUs: number | null },
  now: Date,
): boolean {
  const oldestMs = now.getTime() - CURSOR_MS
  if (databaseId !== found.databaseId || seenMs < oldestMs) return false
  // The cursor is from a time after the backup that the database was restored from.
  if (BigInt(position.xid) > BigInt(found.nextXid)) return false
  const isKept = position.type !== '' && position.createdUs / 1_000 >= oldestMs
  return !isKept || found.createdUs === position.createdUs
}

function nameOf(feed: Feed): string {
  return `${feed}.1`
}

/** At most 19 digits, so that the database can hold it as a number. */
function isNumeral(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,19}$/.test(value)
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
