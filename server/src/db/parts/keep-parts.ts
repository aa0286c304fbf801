import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, isDatabaseBusy, type Trx } from '../client.ts'
import { keptFrom, partName, spansToMake } from './months.ts'
import {
  DIVIDED,
  type Divided,
  deleteOthers,
  dropPart,
  insertPart,
  limitLockWait,
  listParts,
  lockParts,
  type Part,
} from './parts-sql.ts'

/** While this waits for a lock on a table, all later readers and writers of that table wait too. */
const LOCK_WAIT_MS = 300
const LOCK_TRIES = 20
const LOCK_PAUSE_MS = 500
const BATCH = 1_000

/**
 * Creates the missing parts of every divided table: for the current month and some months ahead. When several processes
 * call this, one creates the parts and the others find them. It makes no reader or writer wait for long.
 * @returns the names of the parts it created.
 * @throws an error for which {@link isDatabaseBusy} is true; that table's parts are then still missing. Until a later
 * call creates them, its new rows go to its other part and are moved then.
 */
export async function makeParts(db: Db, now: Date): Promise<string[]> {
  const made: string[] = []
  for (const table of Object.keys(DIVIDED) as Divided[]) {
    const isMissing = (parts: Part[]) => spansToMake(parts.at(-1)?.to, now).length > 0
    if (!isMissing(await listParts(db, table))) continue
    made.push(
      ...(await db.transaction().execute(async (trx) => {
        await lockParts(trx)
        const parts = spansToMake((await listParts(trx, table)).at(-1)?.to, now).map((span) => ({
          ...span,
          name: partName(table, span),
        }))
        for (const part of parts) await withShortLocks(trx, () => insertPart(trx, table, part))
        return parts.map(({ name }) => name)
      })),
    )
  }
  return made
}

/**
 * Drops the parts of a table that are older than `months` whole months, each in its own transaction. Then deletes the
 * rows that were added for those months afterwards. Ends early when `signal` is aborted.
 * @returns the names of the dropped parts, and how many later rows were deleted.
 * @throws an error for which {@link isDatabaseBusy} is true when others read the table without a pause; the part in
 * question is then kept.
 */
export async function dropOldParts(
  db: Db,
  table: Divided,
  { now, months }: { now: Date; months: number },
  signal?: Pick<AbortSignal, 'aborted'>,
): Promise<{ dropped: string[]; deleted: number }> {
  const below = keptFrom(now, months)
  const dropped: string[] = []
  for (const part of await listParts(db, table)) {
    if (part.to > below || signal?.aborted) break
    const isDropped = await db.transaction().execute(async (trx) => {
      await lockParts(trx)
      if (!(await listParts(trx, table)).some(({ name }) => name === part.name)) return false
      await withShortLocks(trx, () => dropPart(trx, part.name))
      return true
    })
    if (isDropped) dropped.push(part.name)
  }
  let deleted = 0
  for (let count = BATCH; count === BATCH && !signal?.aborted; deleted += count) {
    count = await db.transaction().execute((trx) => deleteOthers(trx, table, { below, limit: BATCH }))
  }
  return { dropped, deleted }
}

/** Retries `change` until it gets its locks, each time with a short wait. */
async function withShortLocks(trx: Trx, change: () => Promise<void>): Promise<void> {
  await limitLockWait(trx, LOCK_WAIT_MS)
  for (let tries = 1; ; tries++) {
    await sql`savepoint before_change`.execute(trx)
    try {
      await change()
      await sql`release savepoint before_change`.execute(trx)
      return
    } catch (error) {
      if (!isDatabaseBusy(error) || tries === LOCK_TRIES) throw error
      await sql`rollback to savepoint before_change`.execute(trx)
      await pause(LOCK_PAUSE_MS)
    }
  }
}
