import { setTimeout as pause } from 'node:timers/promises'
import { inShareOf } from '../../../db/share.ts'
import type { Deps } from '../../../deps.ts'
import { startLoop } from '../../../jobs/loop.ts'
import { MAX_IN_FLIGHT, MAX_IN_FLIGHT_WHILE_FAILING } from '../endpoints/rules.ts'
import { type DeliveryJob, type DeliveryQueue, deliverEvent } from './deliver-event.ts'
import { queueDueDeliveries } from './sql.ts'

/** Deliveries under way in this process, in each queue. */
const SLOTS = 32

type Lane = { queue: DeliveryQueue; underWay: Set<Promise<void>>; hasMore: boolean; lookedAt: number }

/**
 * Delivers the events of all shops (G-62), beside any number of other processes. What is due is queued for each
 * endpoint as far as it has room, so that neither a backlog nor a slow answer of one endpoint stands before another's;
 * and endpoints that fail have slots of their own, so that many of them hold up only each other.
 */
function createDeliverer(deps: Deps) {
  const { db, clock, jobs, timings } = deps
  const lanes: Lane[] = (['deliver-webhook', 'retry-webhook'] as const).map((queue) => ({
    queue,
    underWay: new Set(),
    hasMore: true,
    lookedAt: 0,
  }))

  /** What is due is queued, and what the slots hold is set under way. @returns whether anything was. */
  async function round(): Promise<boolean> {
    const due = await queueDue()
    for (const lane of lanes) {
      const isRetry = lane.queue === 'retry-webhook'
      lane.hasMore ||= due.some(({ is_failing }) => is_failing === isRetry)
      lane.hasMore ||= performance.now() - lane.lookedAt > timings.webhookLookEveryMs
      const free = SLOTS - lane.underWay.size
      if (!lane.hasMore || free === 0) continue
      const fetched = await jobs.take(lane.queue, free)
      lane.lookedAt = performance.now()
      lane.hasMore = fetched.length === free
      for (const job of fetched) start(lane, job)
    }
    return due.length > 0
  }

  async function queueDue() {
    return db.transaction().execute(async (trx) => {
      const due = await queueDueDeliveries(trx, {
        now: clock.now(),
        room: MAX_IN_FLIGHT,
        roomWhileFailing: MAX_IN_FLIGHT_WHILE_FAILING,
      })
      for (const { queue } of lanes) {
        const jobsOf = due
          .filter(({ is_failing }) => is_failing === (queue === 'retry-webhook'))
          .map((one) => ({ shopId: one.shop_id, endpointId: one.endpoint_id, eventId: one.event_id }))
        if (jobsOf.length > 0) await jobs.sendAll(trx, queue, jobsOf)
      }
      return due
    })
  }

  function start(lane: Lane, job: DeliveryJob): void {
    const delivery = inShareOf(job.data.shopId, () => deliverEvent(deps, job))
      .catch((error: unknown) => {
        // The job's time runs out, and it is worked again.
        deps.log.error({ err: error, eventId: job.data.eventId }, 'a delivery was not written down')
      })
      .finally(() => lane.underWay.delete(delivery))
    lane.underWay.add(delivery)
  }

  const underWay = () => lanes.flatMap((lane) => [...lane.underWay])
  return { round, underWay }
}

/** Delivers until stopped; a stop waits a little for the requests under way. One given up goes out again. */
export function startDelivering(deps: Deps): () => Promise<void> {
  const { timings } = deps
  const deliverer = createDeliverer(deps)
  const failed = (error: unknown) =>
    deps.log.warn({ err: error }, 'events could not be queued; the next round goes on')
  const stop = startLoop({ everyMs: timings.afterErrorMs, failed }, async (signal) => {
    if (await deliverer.round()) return 0
    const idle = pause(timings.webhookIdleMs, undefined, { signal })
    await Promise.race([...deliverer.underWay(), idle]).catch(() => {})
    return 0
  })
  return async () => {
    await stop()
    const late = pause(timings.webhookStopMs, undefined, { ref: false })
    await Promise.race([Promise.all(deliverer.underWay()), late])
  }
}
