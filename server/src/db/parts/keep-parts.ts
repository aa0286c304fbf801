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

/** Behind whoever waits for a lock on a table all readers and writers of it wait. */
const LOCK_WAIT_MS = 300
const LOCK_TRIES = 20
const LOCK_PAUSE_MS = 500
const BATCH = 1_000

/**
 * Makes the parts of this month and of some ahead in every divided table, as far as they are missing; of several processes one
 * does, the others find them. Waits for no reader or writer for long. @returns the names of those made.
 * @throws what {@link isDatabaseBusy}, with the parts of that table missing: what comes then goes to its other part, and moves
 *   when a later try makes them.
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
 * Drops the parts of a table that are older than `months` whole months, each in a transaction of its own. Then deletes what has come for those months since. Ends early when `signal` is aborted.
 * @returns the names of the parts, and how many rows came later.
 * @throws what {@link isDatabaseBusy}, with the part in question kept, when others read the table without a pause.
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

/** Tries `change` until it gets its locks without waiting for long. */
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
