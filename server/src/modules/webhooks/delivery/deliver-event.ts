import type { Deps } from '../../../deps.ts'
import type { TakenJob } from '../../../jobs/queue.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import {
  guardedFetch,
  OutboundFailed,
  OutboundRefused,
  outboundRule,
} from '../../../platform/guarded-fetch.ts'
import { type Attempt, hasFailedTooLong, nextStep, pausedUntil, retryAfterMs } from '../endpoints/rules.ts'
import { signedRequest } from './signing.ts'
import {
  type DeliveryRow,
  deferDelivery,
  disableEndpoint,
  findQueuedDelivery,
  giveUpDelivery,
  giveUpPending,
  insertAttempt,
  pauseEndpoint,
  updateFailingSince,
} from './sql.ts'

/** The queues of deliveries: to endpoints that work, and to those whose last delivery failed. */
export type DeliveryQueue = 'deliver-webhook' | 'retry-webhook'
export type DeliveryJob = TakenJob<DeliveryQueue>

const ANSWER_BYTES = 4_096
const ANSWER_CHARACTERS = 500

/**
 * One attempt at a delivery: a signed POST, its outcome and the end of its job in one transaction (G-62). A process
 * that dies in between leaves the job, which is worked again: an endpoint may get an event twice, never not at all.
 * Redirects are not followed; the address is checked at the connection.
 */
export async function deliverEvent(deps: Deps, job: DeliveryJob): Promise<void> {
  const { db, clock, jobs, timings, log, webhookCounts } = deps
  const { shopId, endpointId, eventId } = job.data
  const delivery = await findQueuedDelivery(db, shopId, endpointId, eventId, clock.now())
  if (delivery === undefined) return jobs.complete(db, job)
  if (delivery.is_off) {
    return db.transaction().execute(async (trx) => {
      await giveUpDelivery(trx, shopId, endpointId, eventId)
      await jobs.complete(trx, job)
    })
  }
  const { paused_until: waitsUntil } = delivery
  if (waitsUntil !== null) {
    return db.transaction().execute(async (trx) => {
      await deferDelivery(trx, shopId, endpointId, eventId, waitsUntil)
      await jobs.complete(trx, job)
    })
  }
  const startedAt = clock.now()
  const attempt = await post(deps, eventId, delivery, startedAt)
  const now = clock.now()
  const next = nextStep(attempt, delivery.tries, { now, timings, random: Math.random() })
  const pause = pausedUntil(attempt, { now, timings })
  const isDelivered = next.state === 'delivered'
  const isGone = next.state !== 'pending' && next.isGone
  const reason = isGone
    ? 'gone'
    : !isDelivered && hasFailedTooLong(delivery.failing_since, { now, timings })
      ? 'failing'
      : undefined
  const isSwitchedOff = await db.transaction().execute(async (trx) => {
    const dueAt = next.state === 'pending' ? next.dueAt : now
    await insertAttempt(trx, shopId, endpointId, eventId, attempt, { state: next.state, dueAt, startedAt })
    if (isDelivered !== (delivery.failing_since === null)) {
      await updateFailingSince(trx, shopId, endpointId, isDelivered ? null : startedAt)
    }
    if (pause !== undefined) await pauseEndpoint(trx, shopId, endpointId, pause)
    const isOff = reason !== undefined && (await disableEndpoint(trx, shopId, endpointId, { reason, now }))
    if (isOff) await giveUpPending(trx, shopId, endpointId)
    await jobs.complete(trx, job)
    return isOff
  })
  webhookCounts[isDelivered ? 'delivered' : next.state === 'pending' ? 'retried' : 'failed'] += 1
  if (isSwitchedOff) {
    webhookCounts.disabled += 1
    log.warn({ shopId, endpointId, reason }, 'a webhook endpoint is switched off')
  }
}

async function post(deps: Deps, eventId: ObjectId, delivery: DeliveryRow, now: Date): Promise<Attempt> {
  const { config, secrets, timings, clock, log } = deps
  const startedMs = performance.now()
  const durationMs = () => Math.round(performance.now() - startedMs)
  try {
    const signing = [delivery.secret, delivery.old_secret].filter((sealed) => sealed !== null)
    const { headers, body } = signedRequest(
      { id: eventId, type: delivery.type, data: delivery.data, createdAt: delivery.created_at },
      signing.map((sealed) => secrets.open(sealed)),
      now,
    )
    const answer = await guardedFetch({
      url: delivery.url,
      method: 'POST',
      headers,
      body,
      timeoutMs: timings.webhookTimeoutMs,
      maxBytes: ANSWER_BYTES,
      cutsLongAnswers: true,
      allows: outboundRule(config.outboundAllowPrivate),
    })
    return {
      status: answer.status,
      durationMs: durationMs(),
      answer: shown(answer.body),
      error: null,
      retryAfterMs: retryAfterMs(answer.headers['retry-after'], clock.now()),
    }
  } catch (error) {
    const isTheirs = error instanceof OutboundRefused || error instanceof OutboundFailed
    if (!isTheirs) log.error({ err: error, eventId }, 'a webhook request could not be made')
    return {
      status: null,
      durationMs: durationMs(),
      answer: '',
      error: isTheirs ? error.message : 'the request could not be made',
      retryAfterMs: undefined,
    }
  }
}

/** An endpoint may answer anything; the database takes no NUL. */
function shown(body: Buffer): string {
  const text = body.toString('utf8').replaceAll('\0', '').toWellFormed()
  return [...text].slice(0, ANSWER_CHARACTERS).join('')
}
