import type { Deps } from '../../deps.ts'
import { releaseExpiredLeases } from './sql.ts'

const EVERY_MS = 15_000
const BATCH = 500
const CAUSE = 'the process died before the outcome was written'

/**
 * Makes every message UNKNOWN whose sender has died: its lease is over, and whether the platform got it nobody
 * knows. The hold stays until a receipt or a look-up settles it. @returns how many there were.
 */
export async function recoverMessages({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  let recovered = 0
  for (;;) {
    const count = await releaseExpiredLeases(db, { cause: CAUSE, now: clock.now(), limit: BATCH })
    recovered += count
    if (count < BATCH) return recovered
  }
}

/** Runs {@link recoverMessages} now and every 15 seconds, one run at a time. @returns what stops it. */
export function startMessageRecovery(deps: Deps): () => Promise<void> {
  let run = Promise.resolve()
  function recover(): void {
    run = run
      .then(() => recoverMessages(deps))
      .then(
        (count) => {
          if (count > 0) deps.log.warn({ count }, 'messages of a process that died are now unknown')
        },
        (error: unknown) => deps.log.warn({ err: error }, 'recovering messages failed'),
      )
  }
  recover()
  const timer = setInterval(recover, EVERY_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await run
  }
}
