import type { Db } from '../../../db/client.ts'
import { inShareOf } from '../../../db/share.ts'
import type { Deps } from '../../../deps.ts'
import { startLoop } from '../../../jobs/loop.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { createHandOut } from '../outbox/hand-out-events.ts'
import { createReplay } from '../replay/replay-events.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import { isPlain, type Outcome, outcomeOf, writeOutcome, writePlainOutcomes } from './end-attempt.ts'
import { MAX_IN_FLIGHT, MAX_IN_FLIGHT_WHILE_FAILING, shareOf } from './rules.ts'
import {
  type EndpointKey,
  FIRST_KEY,
  LAST_KEY,
  lockWaitingEndpoints,
  releaseExpiredLeases,
  type TakenDelivery,
  takeDeliveries,
} from './take-sql.ts'

/**
 * The most deliveries in progress in this process, for each lane: endpoints that work, and endpoints whose last
 * delivery failed.
 */
const SLOTS = 32

/**
 * After a full round, one with as many deliveries as slots, the deliverer pauses for this many times the round's
 * duration; after a smaller round for much less. A round takes long when requests keep the processor and the database
 * busy, so the pause leaves more of both to them (decision 0012).
 */
const REST = 3

/** `last` is the endpoint served last; the next turn starts after it. `held` counts the deliveries under way of each shop. */
type Lane = {
  isFailing: boolean
  room: number
  last: EndpointKey
  underWay: Set<Promise<void>>
  held: Map<ObjectId, number>
}

/**
 * Delivers the events of all shops (G-62); any number of processes can do so at the same time. An endpoint gets no more
 * deliveries at a time than its room allows, and endpoints take turns, so neither a backlog nor slow responses of one
 * endpoint delay the others. A shop holds at most three times as many slots as it leaves free, so some are left for the
 * others however many slow endpoints it has. Endpoints that fail have slots of their own, so they delay only each other.
 */
function createDeliverer(deps: Deps) {
  const { db, clock, timings, log, deliveryWake } = deps
  const handOut = createHandOut(deps)
  const replay = createReplay(deps)
  const lane = (isFailing: boolean, room: number): Lane => ({
    isFailing,
    room,
    last: FIRST_KEY,
    underWay: new Set(),
    held: new Map(),
  })
  const lanes = [lane(false, MAX_IN_FLIGHT), lane(true, MAX_IN_FLIGHT_WHILE_FAILING)]
  /** Ended attempts that the next round records. A slot becomes free once its attempt is recorded. */
  let ended: { outcome: Outcome; free(): void }[] = []
  let releasedAt = Number.NEGATIVE_INFINITY

  /**
   * Records ended attempts, hands out and replays events, and starts deliveries in the free slots. @returns the largest
   * of the four counts.
   */
  async function round(): Promise<number> {
    if (performance.now() - releasedAt > timings.webhookReleaseEveryMs) {
      releasedAt = performance.now()
      await releaseExpiredLeases(db)
    }
    const wrote = await writeEnded()
    const handedOut = await handOut()
    const replayed = await replay()
    const taken = await fill()
    return Math.max(wrote, handedOut, replayed, taken)
  }

  async function writeEnded(): Promise<number> {
    const group = ended
    ended = []
    if (group.length === 0) return 0
    try {
      await writePlainOutcomes(
        deps,
        group.map(({ outcome }) => outcome),
      )
      for (const { free } of group) free()
    } catch (error) {
      log.warn({ err: error, count: group.length }, 'the attempts of a group are written one by one')
      for (const { outcome, free } of group) void writeAlone(outcome).finally(free)
    }
    return group.length
  }

  /** Written one by one, a locked row delays only its own shop. */
  async function writeAlone(outcome: Outcome): Promise<void> {
    const { shopId, eventId } = outcome.ended
    try {
      await inShareOf(shopId, () => writeOutcome(deps, outcome))
    } catch (error) {
      // The lease expires, and the event is delivered again.
      log.error({ err: error, eventId }, 'a delivery attempt could not be recorded')
    }
  }

  /** Starts deliveries in the free slots. @returns how many. */
  async function fill(): Promise<number> {
    const open = lanes.filter(({ underWay }) => underWay.size < SLOTS)
    if (open.length === 0) return 0
    const taken = await db.transaction().execute(async (trx) => {
      const deliveries: { lane: Lane; delivery: TakenDelivery }[] = []
      for (const lane of open) {
        for (const delivery of await take(trx, lane)) deliveries.push({ lane, delivery })
      }
      return deliveries
    })
    for (const { lane, delivery } of taken) start(lane, delivery)
    return taken.length
  }

  async function take(trx: Db, lane: Lane): Promise<TakenDelivery[]> {
    const { isFailing, room, last, held } = lane
    const limit = SLOTS - lane.underWay.size
    const full = [...held].filter(([, count]) => shareOf(count, limit) === 0).map(([shopId]) => shopId)
    const lock = (after: EndpointKey, upTo: EndpointKey, most: number) =>
      lockWaitingEndpoints(trx, { after, upTo }, { isFailing, room, limit: most, full })
    const endpoints = await lock(last, LAST_KEY, limit)
    const isThrough = endpoints.length < limit
    if (isThrough && last !== FIRST_KEY) {
      endpoints.push(...(await lock(FIRST_KEY, last, limit - endpoints.length)))
    }
    lane.last = isThrough && endpoints.length < limit ? FIRST_KEY : endpoints.at(-1)!
    if (endpoints.length === 0) return []
    const shares = endpoints.map((one) => ({ ...one, ofShop: shareOf(held.get(one.shop_id) ?? 0, limit) }))
    return takeDeliveries(trx, shares, { room, limit, leaseMs: timings.webhookLeaseMs })
  }

  function start(lane: Lane, delivery: TakenDelivery): void {
    const { shop_id: shopId } = delivery
    const { held } = lane
    held.set(shopId, (held.get(shopId) ?? 0) + 1)
    const underWay = deliver(delivery).finally(() => {
      lane.underWay.delete(underWay)
      const left = held.get(shopId)! - 1
      if (left === 0) held.delete(shopId)
      else held.set(shopId, left)
    })
    lane.underWay.add(underWay)
  }

  /** Resolves when the outcome is recorded. */
  async function deliver(delivery: TakenDelivery): Promise<void> {
    const startedAt = clock.now()
    const attempt = await attemptDelivery(deps, delivery, startedAt)
    const outcome = outcomeOf(deps, delivery, attempt, startedAt)
    if (isPlain(outcome)) {
      await new Promise<void>((free) => {
        ended.push({ outcome, free })
        deliveryWake.wake()
      })
    } else {
      await writeAlone(outcome)
      deliveryWake.wake()
    }
  }

  const underWay = () => lanes.flatMap((lane) => [...lane.underWay])
  return { round, underWay, writeEnded }
}

/**
 * Delivers events until it is stopped. A stop waits a short time for requests in progress; one that does not end in
 * time is delivered again later.
 */
export function startDeliverer(deps: Deps): () => Promise<void> {
  const { timings, deliveryWake } = deps
  const deliverer = createDeliverer(deps)
  const failed = (error: unknown) =>
    deps.log.warn({ err: error }, 'events could not be delivered; the next round continues')
  const stop = startLoop({ everyMs: timings.afterErrorMs, failed }, async (signal) => {
    const startedMs = performance.now()
    const count = await deliverer.round()
    const tookMs = performance.now() - startedMs
    if (count === 0) await deliveryWake.sleep(timings.webhookIdleMs, signal)
    return Math.min(REST * tookMs * Math.min(1, count / SLOTS) ** 2, timings.webhookIdleMs)
  })
  return async () => {
    await stop()
    const endsAt = performance.now() + timings.webhookStopMs
    const unstopped = new AbortController().signal
    while (deliverer.underWay().length > 0 && performance.now() < endsAt) {
      await deliverer.writeEnded()
      await deliveryWake.sleep(Math.max(1, endsAt - performance.now()), unstopped)
    }
    await deliverer.writeEnded()
  }
}
