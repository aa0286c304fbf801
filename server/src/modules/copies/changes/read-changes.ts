import { findHorizon } from '../../../db/fragments/horizon-sql.ts'
import type { Deps } from '../../../deps.ts'
import { Refused } from '../../../errors.ts'
import { type FeedCursor, isCursorGood, writeFeedCursor } from '../../../lib/lists/feed-cursor.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { type CopiedRecord, RECORD_TYPES, type RecordType, TYPE_NAMES } from '../record-types.ts'
import { type ChangeRow, findNewest, listChanges } from './sql.ts'

/** The most changes that a page looks at, if it has to skip those of other types. */
const MOST_SCANNED = 20_000
/** The most records that are read together, as many as in the longest list. */
const CHUNK = 100

type Copies = Pick<Deps, 'db' | 'clock'>
/** A record as it is now; without `data` it no longer exists. */
export type Change = { type: RecordType; id: ObjectId; data: CopiedRecord | undefined }
export type ChangesPage = { changes: Change[]; nextCursor: string; hasMore: boolean }

/** A cursor after which the feed returns every change that commits from now on (G-66). */
export async function cursorOfNow({ db, clock }: Copies, shopId: ObjectId): Promise<string> {
  const now = clock.now()
  const horizon = await findHorizon(db)
  const { last, databaseId } = await findNewest(db, shopId, horizon)
  const position = last ?? { xid: horizon, type: '' as const, recordId: '' as const, createdUs: 0 }
  return writeFeedCursor('changes', shopId, { position, databaseId, seenMs: now.getTime() })
}

/**
 * The changes after a cursor (G-66): each record once, in its state when it is read, which is not before the page.
 * @throws Refused CURSOR_TOO_OLD when changes that followed the cursor may have been deleted.
 */
export async function readChanges(
  { db, clock }: Copies,
  shopId: ObjectId,
  after: FeedCursor<RecordType>,
  types: RecordType[],
  limit: number,
): Promise<ChangesPage> {
  const now = clock.now()
  const scanned = types.length === TYPE_NAMES.length ? limit + 1 : MOST_SCANNED
  const horizon = await findHorizon(db)
  const found = await listChanges(db, shopId, after.position, horizon, types, { limit, scanned })
  if (!isCursorGood(after, found, now)) throw new Refused('CURSOR_TOO_OLD')
  const page = found.changes.slice(0, limit)
  const isFull = found.changes.length > limit
  const last = isFull ? page.at(-1)! : found.last
  const hasMore = isFull || found.isCut
  const seenMs = hasMore ? Math.floor(last!.createdUs / 1_000) : now.getTime()
  const cursor = { position: last ?? after.position, databaseId: found.databaseId, seenMs }
  return {
    changes: await newestState(db, shopId, page),
    nextCursor: writeFeedCursor('changes', shopId, cursor),
    hasMore,
  }
}

/** The records that a page's rows name, each once, at the position of its last change. */
async function newestState(db: Copies['db'], shopId: ObjectId, page: ChangeRow[]): Promise<Change[]> {
  const last = new Map<string, ChangeRow>()
  for (const row of page) {
    const key = `${row.type} ${row.recordId}`
    last.delete(key)
    last.set(key, row)
  }
  const records = new Map<string, CopiedRecord>()
  for (const [type, rows] of Map.groupBy(last.values(), (row) => row.type)) {
    for (let start = 0; start < rows.length; start += CHUNK) {
      const ids = rows.slice(start, start + CHUNK).map(({ recordId }) => recordId)
      for (const record of await RECORD_TYPES[type].read(db, shopId, { ids }))
        records.set(`${type} ${record._id}`, record)
    }
  }
  return [...last].map(([key, { type, recordId }]) => ({ type, id: recordId, data: records.get(key) }))
}
