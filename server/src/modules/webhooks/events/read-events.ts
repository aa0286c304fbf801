import { findHorizon } from '../../../db/fragments/horizon-sql.ts'
import type { Deps } from '../../../deps.ts'
import { Refused } from '../../../errors.ts'
import { type FeedCursor, isCursorGood, writeFeedCursor } from '../../../lib/lists/feed-cursor.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { EventType } from '../outbox/event-types.ts'
import { type EventRow, listEvents } from './sql.ts'

/** A page skips at most this many events of types that were not requested. */
const MOST_SCANNED = 20_000
/**
 * A little less than the lifetime of a cursor, so that the first cursor does not expire while its page is processed.
 */
const FROM_START_MS = 30 * 86_400_000 - 3_600_000
const START = { xid: '0', type: '' as const, recordId: '' as const, createdUs: 0 }

export type EventsPage = { events: EventRow[]; nextCursor: string; hasMore: boolean }

/**
 * The events after a cursor, or from the oldest one on (G-68), in an order that skips none that commits later
 * (decision 0026).
 * @throws Refused CURSOR_TOO_OLD when events that followed the cursor may have been deleted.
 */
export async function readEvents(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  shopId: ObjectId,
  after: FeedCursor | undefined,
  types: EventType[] | undefined,
  limit: number,
): Promise<EventsPage> {
  const now = clock.now()
  const from = after?.position ?? { since: new Date(now.getTime() - FROM_START_MS) }
  const scanned = types === undefined ? limit + 1 : MOST_SCANNED
  const horizon = await findHorizon(db)
  const found = await listEvents(db, shopId, from, horizon, types, { limit, scanned })
  if (after !== undefined && !isCursorGood(after, found, now)) throw new Refused('CURSOR_TOO_OLD')
  const events = found.events.slice(0, limit)
  const isFull = found.events.length > limit
  const last = isFull ? events.at(-1)! : found.last
  const hasMore = isFull || found.isCut
  const seenMs = hasMore ? Math.floor(last!.createdUs / 1_000) : now.getTime()
  const cursor = { position: last ?? after?.position ?? START, databaseId: found.databaseId, seenMs }
  return { events, nextCursor: writeFeedCursor('events', shopId, cursor), hasMore }
}
