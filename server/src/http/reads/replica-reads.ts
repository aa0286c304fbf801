import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/client.ts'
import type { Area, Stamps } from '../../db/fragments/change-stamps-sql.ts'
import type { Replica } from '../../db/replica.ts'
import type { ObjectId } from '../../lib/object-id.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every area that a 200 of this GET is read from. A repeated request is answered without reading them again. */
    reads?: readonly Area[]
    /** The query parameters with which this GET also reads what belongs to no area, and is read anew each time. */
    readsMoreWith?: readonly string[]
  }
  interface FastifyRequest {
    /** Set if the replica is up to date in everything that this request may read. */
    replica: Replica | undefined
  }
}

/** Every area that the response is read from; undefined if the route names none, or the request reads more than them. */
export function areasOf({ query, routeOptions }: FastifyRequest): readonly Area[] | undefined {
  const { reads, readsMoreWith = [] } = routeOptions.config
  const readsMore = readsMoreWith.some((name) => Object.hasOwn(query as object, name))
  return readsMore ? undefined : reads
}

/** The stamps of `areas` as one string, which changes whenever one of them does. */
export function stampOf(stamps: Stamps, areas: readonly Area[]): string {
  return areas.map((area) => stamps[area] ?? '').join()
}

/**
 * preHandler for GETs that name the areas they read (`config.reads`): lets the request read from the replica if the
 * replica's stamps of these areas equal the database's, looked up after the request arrived. So the replica never
 * returns older data than the database would (decision 0027). Costs one look-up in each of them.
 */
export function buildReplicaChoice(replica: Replica, stampsOf: (shopId: ObjectId) => Promise<Stamps>) {
  return async (request: FastifyRequest): Promise<void> => {
    const areas = areasOf(request)
    if (areas === undefined) return
    const { id } = request.shop
    const [here, there] = await Promise.all([
      request.stampBefore ?? stampsOf(id).then((stamps) => stampOf(stamps, areas)),
      replica.findStamps(id),
    ])
    if (there !== undefined && stampOf(there, areas) === here) request.replica = replica
  }
}

/**
 * Runs `read` on the replica if the request may use it and the replica works, otherwise on the database. `read` refuses nothing:
 * whatever it throws counts as a failure of the replica, which is then not used for a while.
 */
export async function readNear<T>(
  { replica }: FastifyRequest,
  db: Db,
  read: (db: Db) => Promise<T>,
): Promise<T> {
  const answer = await replica?.read(read)
  return answer === undefined ? read(db) : answer.found
}
