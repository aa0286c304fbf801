import type { Deps } from '../../deps.ts'
import { deleteExpiredKeys, releaseAllClaims } from './sql.ts'

const EVERY_MS = 60_000
const BATCH = 1_000
/** A run ends after this many batches; what is left waits for the next, and is no longer valid anyway. */
const BATCHES_PER_RUN = 50

/** Deletes the keys whose 24 hours are over (G-10), in short statements. @returns how many. */
export async function forgetExpiredKeys({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  let forgotten = 0
  for (let n = 0; n < BATCHES_PER_RUN; n++) {
    const count = await deleteExpiredKeys(db, { now: clock.now(), limit: BATCH })
    forgotten += count
    if (count < BATCH) break
  }
  return forgotten
}

/**
 * Runs {@link forgetExpiredKeys} every minute, one run at a time. On the embedded database, which has one process,
 * requests that the process before left behind can be tried again at once. @returns what stops it.
 */
export async function startForgettingKeys(
  deps: Pick<Deps, 'db' | 'database' | 'clock' | 'log'>,
): Promise<() => Promise<void>> {
  if (deps.database.kind === 'embedded') await releaseAllClaims(deps.db, deps.clock.now())
  let run: Promise<void> | undefined
  const timer = setInterval(() => {
    run ??= forgetExpiredKeys(deps)
      .then(
        () => {},
        (error: unknown) => deps.log.warn({ err: error }, 'deleting expired idempotency keys failed'),
      )
      .finally(() => {
        run = undefined
      })
  }, EVERY_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await run
  }
}
