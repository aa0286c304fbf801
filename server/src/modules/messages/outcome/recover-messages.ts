import type { Deps } from '../../../deps.ts'
import { startLoop } from '../../../jobs/loop.ts'
import { releaseExpiredLeases } from './unknown-sql.ts'

const BATCH = 500
const CAUSE = 'the process died before the outcome was written'

/**
 * Makes every message UNKNOWN whose sender has died, or whose lease has expired: nobody knows whether the platform received it.
 * The hold stays until the message is settled. `expiredBefore` is now, or later if every lease up to then is known to belong to a
 * dead process. @returns how many there were.
 */
export async function recoverMessages(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  expiredBefore = clock.now(),
): Promise<number> {
  let recovered = 0
  for (;;) {
    const count = await releaseExpiredLeases(db, {
      cause: CAUSE,
      defaultTimeoutSeconds: config.unknown.timeoutSeconds,
      now: clock.now(),
      expiredBefore,
      limit: BATCH,
    })
    recovered += count
    if (count < BATCH) return recovered
  }
}

/**
 * Runs {@link recoverMessages} now and 5 seconds after each round. The embedded database has one process at a time: messages
 * accepted before this one started have no living sender, so the end of their leases is not awaited. @returns a function that
 * stops it.
 */
export function startMessageRecovery(deps: Deps): () => Promise<void> {
  const { database, clock, timings, log } = deps
  const startedAt = clock.now().getTime()
  let orphanedBefore = database.kind === 'embedded' ? new Date(startedAt + timings.messageLeaseMs) : undefined
  const failed = (error: unknown) => log.warn({ err: error }, 'recovering messages failed')
  return startLoop({ everyMs: timings.recoveryEveryMs, failed }, async () => {
    const recovered = await recoverMessages(deps, orphanedBefore)
    orphanedBefore = undefined
    if (recovered > 0) log.warn({ count: recovered }, 'messages of a process that died are now unknown')
  })
}
