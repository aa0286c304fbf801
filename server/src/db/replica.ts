import type { ObjectId } from '../lib/object-id.ts'
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

  async function within<T>(work: Promise<T>, ms: number): Promise<{ found: T } | undefined> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`the replica did not respond within ${ms} ms`)), ms)
    })
    try {
      return { found: await Promise.race([work, late]) }
    } catch (error) {
      if (restsUntil <= performance.now()) onAway(error)
      restsUntil = performance.now() + timings.replicaRestMs
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async findStamps(shopId) {
      if (restsUntil > performance.now()) return undefined
      return (await within(findStamps(db, shopId), timings.replicaWaitMs))?.found
    },
    read: (read) => within(read(db), statementMs),
    close: () => database.close(),
  }
}
