import { findHorizon } from '../../../db/fragments/horizon-sql.ts'
import { inShareOf } from '../../../db/share.ts'
import type { Deps } from '../../../deps.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { type EndpointKey, FIRST_KEY } from '../delivery/take-sql.ts'
import { ENOUGH, PER_SHOP } from '../outbox/hand-out-events.ts'
import { insertReplayed, listReplayedEvents, listReplaying, lockReplay, updateReplay } from './sql.ts'

/** How many endpoints have their turn in one round. */
const ENDPOINTS = 32
/** How many events are read for each endpoint, to find the first ones that it asks for. */
const SCANNED = 200

/**
 * Creates the function that gives endpoints the events from before (G-68). Endpoints take turns and get a few events
 * whenever they have few deliveries due, so that new events are delivered in between, and a long past is not queued at
 * once.
 * @returns a function that queues some events and returns how many it read.
 */
export function createReplay({
  db,
  log,
  timings,
}: Pick<Deps, 'db' | 'log' | 'timings'>): () => Promise<number> {
  let last: EndpointKey = FIRST_KEY
  /** The time of the next check. An idle deliverer checks in each round, a busy one only now and then. */
  let looksAt = Number.NEGATIVE_INFINITY

  return async () => {
    if (performance.now() < looksAt) return 0
    const endpoints = await listReplaying(db, { after: last, enough: ENOUGH, limit: ENDPOINTS })
    last = endpoints.length < ENDPOINTS ? FIRST_KEY : endpoints.at(-1)!
    let count = 0
    if (endpoints.length > 0) {
      const horizon = await findHorizon(db)
      for (const { shop_id: shopId, id } of endpoints) {
        try {
          count += await inShareOf(shopId, () => replaySome(db, shopId, id, horizon))
        } catch (error) {
          log.warn({ err: error, shopId, endpointId: id }, 'events were not replayed')
        }
      }
    }
    if (count === 0 && last === FIRST_KEY) looksAt = performance.now() + timings.webhookIdleMs
    return count
  }
}

/** Queues the next events of one replay, in a short transaction. @returns how many events it read. */
async function replaySome(
  db: Deps['db'],
  shopId: ObjectId,
  endpointId: ObjectId,
  horizon: string,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const replay = await lockReplay(trx, shopId, endpointId)
    if (replay === undefined) return 0
    const events = await listReplayedEvents(trx, shopId, replay, { horizon, limit: SCANNED })
    const wanted = events.filter((event) => event.is_wanted).slice(0, PER_SHOP)
    if (wanted.length > 0) {
      const ids = wanted.map(({ id }) => id)
      await insertReplayed(trx, shopId, endpointId, ids)
    }
    const isFull = wanted.length === PER_SHOP
    const isAtEnd = !isFull && events.length < SCANNED && BigInt(horizon) >= BigInt(replay.replay_until)
    const reached = isFull ? wanted.at(-1)! : events.at(-1)
    if (isAtEnd) await updateReplay(trx, shopId, endpointId, null)
    else if (reached !== undefined) await updateReplay(trx, shopId, endpointId, reached)
    return events.length
  })
}
