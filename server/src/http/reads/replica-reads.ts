import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/client.ts'
import type { Area, Stamps } from '../../db/fragments/change-stamps-sql.ts'
import type { Replica } from '../../db/replica.ts'
import type { ObjectId } from '../../lib/object-id.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where the replica has all that this request may read. */
    replica: Replica | undefined
  }
}

/** The stamps of some areas as one text, which changes with each of them. */
export function stampOf(stamps: Stamps, areas: readonly Area[]): string {
  return areas.map((area) => stamps[area] ?? '').join()
}

/**
 * preHandler for GETs that name what they read (`config.reads`): lets them read at the replica where its data of those
 * areas is what the database's was after the request had arrived, so that nothing is older there than here (decision
 * 0027). It costs a look at both.
 */
export function buildReplicaChoice(replica: Replica, stampsOf: (shopId: ObjectId) => Promise<Stamps>) {
  return async (request: FastifyRequest): Promise<void> => {
    const areas = request.routeOptions.config.reads
    if (areas === undefined) return
    const { id } = request.shop
    const [here, there] = await Promise.all([
      request.stampBefore ?? stampsOf(id).then((stamps) => stampOf(stamps, areas)),
      replica.findStamps(id),
    ])
    if (there !== undefined && stampOf(there, areas) === here) request.replica = replica
  }
}

/** What `read` finds at the replica, where the request may read there and it works, else in the database. */
export async function readNear<T>(
  { replica }: FastifyRequest,
  db: Db,
  read: (db: Db) => Promise<T>,
): Promise<T> {
  const answer = await replica?.read(read)
  return answer === undefined ? read(db) : answer.found
}
