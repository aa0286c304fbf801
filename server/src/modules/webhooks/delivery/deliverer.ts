import type { Db } from '../../../db/client.ts'
import { inShareOf } from '../../../db/share.ts'
import type { Deps } from '../../../deps.ts'
import { startLoop } from '../../../jobs/loop.ts'
import { createHandOut } from '../outbox/hand-out-events.ts'
import { createReplay } from '../replay/replay-events.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import { isPlain, type Outcome, outcomeOf, writeOutcome, writePlainOutcomes } from './end-attempt.ts'
import { MAX_IN_FLIGHT, MAX_IN_FLIGHT_WHILE_FAILING } from './rules.ts'
import {
  type EndpointKey,
  FIRST_KEY,
  LAST_KEY,
  lockWaitingEndpoints,
  releaseExpiredLeases,
  type TakenDelivery,
  takeDeliveries,
} from './take-sql.ts'

/** Deliveries in progress in this process: to endpoints that work, and to those whose last delivery failed. */
const SLOTS = 32

/**
 * After a round of as many deliveries as there are slots the deliverer rests for so many times as long as the round took, and
 * after a smaller one for much less: where requests keep the processor and the database busy a round takes long, and the deliverer
 * leaves more to them (decision 0012).
 */
const REST = 3

/** `last`: the endpoint served last; the next turn is that of those behind it. */
type Lane = { isFailing: boolean; room: number; last: EndpointKey; underWay: Set<Promise<void>> }

/**
 * Delivers the events of all shops (G-62), beside any number of other processes. Each endpoint gets only as much at a time
 * as it has room for, in turns, so that neither a backlog nor a slow answer of one stands before another's; and endpoints
 * that fail have slots of their own, so that many of them hold up only each other.
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
  })
  const lanes = [lane(false, MAX_IN_FLIGHT), lane(true, MAX_IN_FLIGHT_WHILE_FAILING)]
  /** Ended attempts that the next round writes down; a slot is free once that is done. */
  let ended: { outcome: Outcome; free(): void }[] = []
  let releasedAt = Number.NEGATIVE_INFINITY

  /** Writes down what has ended, hands out events, new and from before, and sets in progress what the slots hold. @returns how many of the most. */
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

  /** A row that somebody holds delays its own shop only. */
  async function writeAlone(outcome: Outcome): Promise<void> {
    const { shopId, eventId } = outcome.ended
    try {
      await inShareOf(shopId, () => writeOutcome(deps, outcome))
    } catch (error) {
      // Its lease ends, and it is delivered again.
      log.error({ err: error, eventId }, 'a delivery attempt could not be recorded')
    }
  }

  /** Sets in progress what the slots hold. @returns how many deliveries. */
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
    const { isFailing, room, last } = lane
    const limit = SLOTS - lane.underWay.size
    const lock = (after: EndpointKey, upTo: EndpointKey, most: number) =>
      lockWaitingEndpoints(trx, { after, upTo }, { isFailing, room, limit: most })
    const endpoints = await lock(last, LAST_KEY, limit)
    const isThrough = endpoints.length < limit
    if (isThrough && last !== FIRST_KEY) {
      endpoints.push(...(await lock(FIRST_KEY, last, limit - endpoints.length)))
    }
    lane.last = isThrough && endpoints.length < limit ? FIRST_KEY : endpoints.at(-1)!
    if (endpoints.length === 0) return []
    return takeDeliveries(trx, endpoints, { room, limit, leaseMs: timings.webhookLeaseMs })
  }

  function start(lane: Lane, delivery: TakenDelivery): void {
    const underWay = deliver(delivery).finally(() => lane.underWay.delete(underWay))
    lane.underWay.add(underWay)
  }

  /** Ends when its outcome is written down. */
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

/** Delivers until stopped; a stop waits a little for the requests in progress. One given up goes out again. */
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
