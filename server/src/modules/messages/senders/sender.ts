import type { Database } from '../../../db/client.ts'
import type { DatabaseClock } from '../../../db/database-clock.ts'
import { startLoop } from '../../../jobs/loop.ts'
import type { Log } from '../../../lib/log.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Timings } from '../../../timings.ts'
import { deleteOldSenders, upsertSender } from './sql.ts'

export type Sender = {
  /** The number of processes on this database, at the last heartbeat. */
  processes(): number
  stop(): Promise<void>
}

/**
 * Registers this process as a sender of messages. If it dies, others find its messages in progress within seconds; while it
 * lives, no other process touches them, however slow it is. `session` is a pool of one connection, kept open by the heartbeats
 * and closed with the sender. A failed heartbeat is retried; until then, the lease of each message protects it. Each heartbeat
 * also reads the database's clock for this process.
 * @throws the database's error at the first heartbeat.
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
