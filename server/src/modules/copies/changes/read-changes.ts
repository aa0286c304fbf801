import { findHorizon } from '../../../db/fragments/horizon-sql.ts'
import type { Deps } from '../../../deps.ts'
import { Refused } from '../../../errors.ts'
import { type FeedCursor, isCursorGood, writeFeedCursor } from '../../../lib/lists/feed-cursor.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { type CopiedRecord, RECORD_TYPES, type RecordType, TYPE_NAMES } from '../record-types.ts'
import { type ChangeRow, findNewest, listChanges } from './sql.ts'

/** The most changes that a page looks at, if it has to skip those of other types. */
const MOST_SCANNED = 20_000
/** A page ends with the record that exceeds this, so that no page holds up the process or fills its memory. */
const MOST_CHARACTERS = 2_000_000

type Copies = Pick<Deps, 'db' | 'clock'>
/** A record as it is now; without `data` it no longer exists. */
export type Change = { type: RecordType; id: ObjectId; data: CopiedRecord | undefined }
/** Records by type and id; undefined if there is none. */
type Found = Map<string, { record: CopiedRecord | undefined; characters: number }>
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
  const { page, found: records } = await readWhile(db, shopId, found.changes.slice(0, limit))
  const isFull = found.changes.length > page.length
  const last = isFull ? page.at(-1)! : found.last
  const hasMore = isFull || found.isCut
  const seenMs = hasMore ? Math.floor(last!.createdUs / 1_000) : now.getTime()
  const cursor = { position: last ?? after.position, databaseId: found.databaseId, seenMs }
  return {
    changes: newestState(page, records),
    nextCursor: writeFeedCursor('changes', shopId, cursor),
    hasMore,
  }
}

/** Reads the records that the rows name, in their order, until they are longer than a page may be. @returns the rows read. */
async function readWhile(
  db: Copies['db'],
  shopId: ObjectId,
  rows: ChangeRow[],
): Promise<{ page: ChangeRow[]; found: Found }> {
  const found: Found = new Map()
  const counted = new Set<string>()
  let [characters, count] = [0, 0]
  for (const chunk of chunksOf(rows)) {
    await readChunk(db, shopId, chunk, found)
    for (const row of chunk) {
      const key = keyOf(row)
      const one = found.get(key)
      if (one === undefined) return { page: rows.slice(0, count), found }
      count += 1
      if (!counted.has(key)) characters += one.characters
      counted.add(key)
      if (characters > MOST_CHARACTERS) return { page: rows.slice(0, count), found }
    }
  }
  return { page: rows, found }
}

/** Adds the records that a chunk's rows name, the first one always, the others until they are longer than a page may be. */
async function readChunk(
  db: Copies['db'],
  shopId: ObjectId,
  chunk: ChangeRow[],
  found: Found,
): Promise<void> {
  let characters = 0
  for (const [type, ofType] of Map.groupBy(chunk, (row) => row.type)) {
    const unread = () => [
      ...new Set(ofType.filter((row) => !found.has(keyOf(row))).map((row) => row.recordId)),
    ]
    for (let ids = unread(); ids.length > 0; ids = unread()) {
      if (characters > MOST_CHARACTERS) return
      const records: CopiedRecord[] = await RECORD_TYPES[type].read(db, shopId, { ids })
      for (const record of records) {
        const { length } = JSON.stringify(record)
        found.set(`${type} ${record._id}`, { record, characters: length })
        characters += length
      }
      // The others do not exist.
      if (records.length === 0)
        for (const id of ids) found.set(`${type} ${id}`, { record: undefined, characters: 0 })
    }
  }
}

/** Consecutive rows whose records are read together: fewer of a type whose records may be long. */
function* chunksOf(rows: ChangeRow[]): Generator<ChangeRow[]> {
  let chunk: ChangeRow[] = []
  let share = 0
  for (const row of rows) {
    chunk.push(row)
    share += 1 / RECORD_TYPES[row.type].atOnce
    if (share < 1) continue
    yield chunk
    ;[chunk, share] = [[], 0]
  }
  if (chunk.length > 0) yield chunk
}

/** The records of a page, each once, at the position of its last change. */
function newestState(page: ChangeRow[], found: Found): Change[] {
  const last = new Map<string, ChangeRow>()
  for (const row of page) {
    last.delete(keyOf(row))
    last.set(keyOf(row), row)
  }
  return [...last].map(([key, { type, recordId }]) => ({ type, id: recordId, data: found.get(key)?.record }))
}

const keyOf = ({ type, recordId }: ChangeRow) => `${type} ${recordId}`
