import type { Deps } from '../../deps.ts'
import { deleteOldEvents } from './sql.ts'

const EVERY_MS = 60_000
const BATCH = 1_000
/** A run ends after this many batches; what is left waits for the next. */
const BATCHES_PER_RUN = 50
const KEPT_MS = 30 * 24 * 3_600_000

/** Deletes the events that are 30 days old with their deliveries and attempts, in short statements. @returns how many. */
export async function forgetOldEvents({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  let forgotten = 0
  for (let n = 0; n < BATCHES_PER_RUN; n++) {
    const before = new Date(clock.now().getTime() - KEPT_MS)
    const count = await deleteOldEvents(db, { before, limit: BATCH })
    forgotten += count
    if (count < BATCH) break
  }
  return forgotten
}

/** Runs {@link forgetOldEvents} every minute, one run at a time. @returns what stops it. */
export function startForgettingEvents(deps: Pick<Deps, 'db' | 'clock' | 'log'>): () => Promise<void> {
  let run: Promise<void> | undefined
  const timer = setInterval(() => {
    run ??= forgetOldEvents(deps)
      .then(
        () => {},
        (error: unknown) => deps.log.warn({ err: error }, 'deleting old events failed'),
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
