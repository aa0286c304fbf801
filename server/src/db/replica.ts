import type { ObjectId } from '../lib/object-id.ts'
import { within } from '../lib/time/within.ts'
import type { Timings } from '../timings.ts'
import type { Database, Db } from './client.ts'
import { findStamps, type Stamps } from './fragments/change-stamps-sql.ts'

/** A standby that follows the database, for reads of data that it already has. */
export type Replica = {
  /** The stamp of each area of a shop on the standby; undefined if the standby fails or is silent, or was a moment ago. */
  findStamps(shopId: ObjectId): Promise<Stamps | undefined>
  /** Runs `read` on the standby; undefined if it fails or takes longer than a statement may. */
  read<T>(read: (db: Db) => Promise<T>): Promise<{ found: T } | undefined>
  close(): Promise<void>
}

/**
 * Creates the replica for `database`, the standby. After it fails or is silent, it is not used for a while, so it
 * delays only a few requests: by {@link Timings.replicaWaitMs} when its stamps are looked up, by `statementMs` when it
 * is read.
 */
export function createReplica(
  database: Database,
  timings: Pick<Timings, 'replicaWaitMs' | 'replicaRestMs'>,
  statementMs: number,
  onAway: (error: unknown) => void,
): Replica {
  const { db } = database
  let restsUntil = 0

  async function answered<T>(ms: number, work: Promise<T>): Promise<{ found: T } | undefined> {
    try {
      const answer = await within(ms, work)
      if (answer === undefined) throw new Error(`the replica did not respond within ${ms} ms`)
      return answer
    } catch (error) {
      if (restsUntil <= performance.now()) onAway(error)
      restsUntil = performance.now() + timings.replicaRestMs
      return undefined
    }
  }

  return {
    async findStamps(shopId) {
      if (restsUntil > performance.now()) return undefined
      return (await answered(timings.replicaWaitMs, findStamps(db, shopId)))?.found
    },
    read: (read) => answered(statementMs, read(db)),
    close: () => database.close(),
  }
}
