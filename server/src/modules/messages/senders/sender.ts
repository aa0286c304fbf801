import type { Database } from '../../../db/client.ts'
import type { DatabaseClock } from '../../../db/database-clock.ts'
import { startLoop } from '../../../jobs/loop.ts'
import type { Log } from '../../../lib/log.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Timings } from '../../../timings.ts'
import { deleteOldSenders, upsertSender } from './sql.ts'

export type Sender = {
  /** How many processes on this database there are, as the last heartbeat saw. */
  processes(): number
  stop(): Promise<void>
}

/**
 * Makes this process known as a sender of messages, so that what it leaves under way when it dies is found within
 * seconds, and by no one while it lives, however slow it is. `session` is a pool of one connection, kept open by the
 * heartbeats and closed with the sender. A heartbeat that fails is tried again; meanwhile the lease of each message holds.
 * Each heartbeat reads the database's clock for this process.
 * @throws what the database answers to the first heartbeat.
 */
export async function startSender(
  session: Database,
  {
    senderId,
    timings,
    clock,
    log,
  }: { senderId: ObjectId; timings: Timings; clock: Pick<DatabaseClock, 'note'>; log: Log },
): Promise<Sender> {
  let living = 1
  async function note(): Promise<void> {
    const fromMs = performance.now()
    const seen = await upsertSender(session.db, senderId, timings.silenceMs)
    clock.note(seen.now, fromMs, performance.now())
    living = seen.living
  }

  await note()
  await deleteOldSenders(session.db)
  const everyMs = timings.heartbeatEveryMs
  const failed = (error: unknown) =>
    log.warn({ err: error }, 'this process could not be noted as alive; the next heartbeat tries again')
  const stopNoting = startLoop({ everyMs, firstMs: everyMs, failed }, note)
  return {
    processes: () => living,
    async stop() {
      await stopNoting()
      await session.close()
    },
  }
}
