import type { Db } from '../db/client.ts'
import type { Deps } from '../deps.ts'
import { startLoop } from '../jobs/loop.ts'
import { deleteExpired } from '../modules/access/sessions/sql.ts'
import { deleteExpiredKeys } from '../modules/idempotency/sql.ts'
import { deleteDoneEvents } from '../modules/platform-inbox/sql.ts'
import { deleteOldErrors, deleteOldImports } from '../modules/product-files/import/sql.ts'
import { deleteOldUploads } from '../modules/product-files/import/upload-sql.ts'
import { deleteOldEvents } from '../modules/webhooks/endpoints/sql.ts'

/** What is kept for a while only. `deleteOld` deletes up to `limit` rows of all shops and says how many it were. */
type Kept = {
  keptMs: number
  deleteOld(db: Db, old: { before: Date; limit: number }): Promise<number>
}

const HOUR_MS = 3_600_000
const MONTH_MS = 30 * 24 * HOUR_MS

const KEPT = {
  // They carry the end of their 24 hours themselves (G-10).
  'idempotency keys': { keptMs: 0, deleteOld: deleteExpiredKeys },
  'events told to shops': { keptMs: MONTH_MS, deleteOld: deleteOldEvents },
  'events of the platform': { keptMs: MONTH_MS, deleteOld: deleteDoneEvents },
  // Before their imports: one may have as many as the longest file has lines.
  'errors of imports': { keptMs: MONTH_MS, deleteOld: deleteOldErrors },
  imports: { keptMs: MONTH_MS, deleteOld: deleteOldImports },
  // Both carry their end themselves; who never comes back does not end them.
  sessions: { keptMs: 0, deleteOld: (db, old) => deleteExpired(db, 'sessions', old) },
  verifications: { keptMs: 0, deleteOld: (db, old) => deleteExpired(db, 'verifications', old) },
  // Of an upload that no import was made of, as its process died.
  uploads: { keptMs: HOUR_MS, deleteOld: deleteOldUploads },
} satisfies Record<string, Kept>

const BATCH = 1_000

/**
 * Deletes all that has been kept long enough, in short statements, so that it keeps up with whatever comes in; several
 * processes may do it at once. Ends early when `signal` is aborted. @returns how many rows.
 */
export async function forgetOld(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  what: keyof typeof KEPT,
  signal?: AbortSignal,
): Promise<number> {
  const { keptMs, deleteOld }: Kept = KEPT[what]
  const before = new Date(clock.now().getTime() - keptMs)
  let forgotten = 0
  for (;;) {
    const count = await deleteOld(db, { before, limit: BATCH })
    forgotten += count
    if (count < BATCH || signal?.aborted) return forgotten
  }
}

/** Runs {@link forgetOld} for everything every minute. @returns what stops it. */
export function startForgetting(
  deps: Pick<Deps, 'database' | 'timings' | 'clock' | 'log'>,
): () => Promise<void> {
  const everyMs = deps.timings.retentionEveryMs
  const failed = (error: unknown, what?: string) =>
    deps.log.warn({ err: error, what }, 'deleting what is old failed')
  return startLoop({ everyMs, firstMs: everyMs, failed }, async (stopping) => {
    for (const what of Object.keys(KEPT) as (keyof typeof KEPT)[]) {
      if (stopping.aborted) return
      await forgetOld({ db: deps.database.slow, clock: deps.clock }, what, stopping).catch((error: unknown) =>
        failed(error, what),
      )
    }
  })
}
