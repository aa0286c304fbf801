import type { Config } from '../../config.ts'
import type { Db } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { startLoop } from '../../jobs/loop.ts'
import { FEED_KEPT_MS } from '../../lib/lists/feed-cursor.ts'
import { deleteExpired } from '../../modules/access/sessions/sql.ts'
import { deleteOldAuditEntries, deleteOldOperatorEntries } from '../../modules/audit/sql.ts'
import { deleteOldChanges } from '../../modules/copies/changes/sql.ts'
import { EXPORT_KEPT_MS } from '../../modules/copies/exports/rules.ts'
import { deleteOldExports } from '../../modules/copies/exports/sql.ts'
import { deleteExpiredKeys } from '../../modules/idempotency/sql.ts'
import { deleteExpiredConnects } from '../../modules/official-accounts/connect/sql.ts'
import { deleteDoneEvents } from '../../modules/platform-inbox/sql.ts'
import { deleteOldErrors, deleteOldImports } from '../../modules/product-files/import/sql.ts'
import { deleteOldUploads } from '../../modules/product-files/import/upload-sql.ts'
import { deleteFormerSenders } from '../../modules/sms-senders/sql.ts'
import { deleteOldEvents } from '../../modules/webhooks/endpoints/sql.ts'

/** Records with a retention period. `deleteOld` deletes up to `limit` rows of all shops and returns how many it deleted. */
type Retained = {
  /** undefined keeps them forever. */
  keptMs: number | ((retention: Config['retention']) => number | undefined)
  deleteOld(db: Db, old: { before: Date; limit: number }): Promise<number>
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MONTH_MS = 30 * DAY_MS

function auditKeptMs({ auditDays }: Config['retention']): number | undefined {
  return auditDays === undefined ? undefined : auditDays * DAY_MS
}

const RETAINED = {
  // Each row has its own expiry, 24 hours after it was created (G-10).
  'idempotency keys': { keptMs: 0, deleteOld: deleteExpiredKeys },
  // A day longer than cursors are valid, because a row's time may be that long before its commit.
  'events for shops': { keptMs: FEED_KEPT_MS, deleteOld: deleteOldEvents },
  changes: { keptMs: FEED_KEPT_MS, deleteOld: deleteOldChanges },
  exports: { keptMs: EXPORT_KEPT_MS, deleteOld: deleteOldExports },
  'events of the platform': {
    keptMs: ({ platformEventsDays }) => platformEventsDays * DAY_MS,
    deleteOld: deleteDoneEvents,
  },
  'audit entries': { keptMs: auditKeptMs, deleteOld: deleteOldAuditEntries },
  'audit entries of operators': { keptMs: auditKeptMs, deleteOld: deleteOldOperatorEntries },
  // Deleted before their imports, because an import may have as many errors as the longest file has lines.
  'errors of imports': { keptMs: MONTH_MS, deleteOld: deleteOldErrors },
  imports: { keptMs: MONTH_MS, deleteOld: deleteOldImports },
  // Both have their own expiry; nothing else removes those of a person who never returns.
  sessions: { keptMs: 0, deleteOld: (db, old) => deleteExpired(db, 'sessions', old) },
  verifications: { keptMs: 0, deleteOld: (db, old) => deleteExpired(db, 'verifications', old) },
  // Each row has its own expiry, after ten minutes.
  'accounts being connected': { keptMs: 0, deleteOld: deleteExpiredConnects },
  // An SMS that was handed over with these keys ends within a day.
  'keys of former SMS senders': { keptMs: 2 * DAY_MS, deleteOld: deleteFormerSenders },
  // Uploads without an import, because the process died in between.
  uploads: { keptMs: HOUR_MS, deleteOld: deleteOldUploads },
} satisfies Record<string, Retained>

const BATCH = 1_000

/**
 * Deletes all records of one kind whose retention period is over, in short statements, as fast as new ones arrive.
 * Several processes may run it at once. Ends early when `signal` is aborted.
 * @returns the number of deleted rows.
 */
export async function deleteOldRecords(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  what: keyof typeof RETAINED,
  signal?: AbortSignal,
): Promise<number> {
  const { keptMs: kept, deleteOld }: Retained = RETAINED[what]
  const keptMs = typeof kept === 'number' ? kept : kept(config.retention)
  if (keptMs === undefined) return 0
  const before = new Date(clock.now().getTime() - keptMs)
  let deleted = 0
  for (;;) {
    const count = await deleteOld(db, { before, limit: BATCH })
    deleted += count
    if (count < BATCH || signal?.aborted) return deleted
  }
}

/**
 * Runs {@link deleteOldRecords} for every kind once a minute.
 * @returns a function that stops it.
 */
export function startRetention(
  deps: Pick<Deps, 'database' | 'timings' | 'clock' | 'config' | 'log'>,
): () => Promise<void> {
  const everyMs = deps.timings.retentionEveryMs
  const failed = (error: unknown, what?: string) =>
    deps.log.warn({ err: error, what }, 'deleting old records failed')
  return startLoop({ everyMs, firstMs: everyMs, failed }, async (stopping) => {
    for (const what of Object.keys(RETAINED) as (keyof typeof RETAINED)[]) {
      if (stopping.aborted) return
      const { clock, config } = deps
      await deleteOldRecords({ db: deps.database.slow, clock, config }, what, stopping).catch(
        (error: unknown) => failed(error, what),
      )
    }
  })
}
