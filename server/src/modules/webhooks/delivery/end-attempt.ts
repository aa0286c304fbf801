import type { Deps } from '../../../deps.ts'
import { type Attempt, hasFailedTooLong, nextStep, pausedUntil } from './rules.ts'
import {
  disableEndpoint,
  type EndedAttempt,
  giveUpPending,
  insertAttempts,
  pauseEndpoint,
  updateFailingSince,
} from './sql.ts'
import type { TakenDelivery } from './take-sql.ts'

/** The outcome of an attempt for its delivery, and for its endpoint if the endpoint changes. */
export type Outcome = {
  ended: EndedAttempt
  /** Undefined: unchanged. */
  failingSince: Date | null | undefined
  pauseUntil: Date | undefined
  disabledFor: 'gone' | 'failing' | undefined
}

/** Decides how a delivery and its endpoint change after an attempt (G-62). */
export function outcomeOf(
  { clock, timings }: Pick<Deps, 'clock' | 'timings'>,
  delivery: TakenDelivery,
  attempt: Attempt,
  startedAt: Date,
): Outcome {
  const now = clock.now()
  const { shop_id: shopId, endpoint_id: endpointId, event_id: eventId, failing_since: since } = delivery
  const next = nextStep(attempt, delivery.tries, { now, timings, random: Math.random() })
  const isDelivered = next.state === 'delivered'
  const isGone = next.state !== 'pending' && next.isGone
  const dueAt = next.state === 'pending' ? next.dueAt : now
  return {
    ended: { ...attempt, shopId, endpointId, eventId, state: next.state, dueAt, startedAt },
    failingSince: isDelivered === (since === null) ? undefined : isDelivered ? null : startedAt,
    pauseUntil: pausedUntil(attempt, { now, timings }),
    disabledFor: isGone
      ? 'gone'
      : !isDelivered && hasFailedTooLong(since, { now, timings })
        ? 'failing'
        : undefined,
  }
}

/** Whether the endpoint stays unchanged; such outcomes are written together. */
export function isPlain({ failingSince, pauseUntil, disabledFor }: Outcome): boolean {
  return failingSince === undefined && pauseUntil === undefined && disabledFor === undefined
}

/** Writes plain outcomes in one statement. */
export async function writePlainOutcomes(deps: Deps, outcomes: Outcome[]): Promise<void> {
  await insertAttempts(
    deps.db,
    outcomes.map(({ ended }) => ended),
  )
  for (const outcome of outcomes) count(deps, outcome)
}

/** Writes an outcome and the change of its endpoint in one transaction. */
export async function writeOutcome(deps: Deps, outcome: Outcome): Promise<void> {
  const { ended, failingSince, pauseUntil, disabledFor: reason } = outcome
  const { shopId, endpointId } = ended
  const isSwitchedOff = await deps.db.transaction().execute(async (trx) => {
    await insertAttempts(trx, [ended])
    if (failingSince !== undefined) await updateFailingSince(trx, shopId, endpointId, failingSince)
    if (pauseUntil !== undefined) await pauseEndpoint(trx, shopId, endpointId, pauseUntil)
    if (reason === undefined) return false
    const isOff = await disableEndpoint(trx, shopId, endpointId, { reason, now: deps.clock.now() })
    if (isOff) await giveUpPending(trx, shopId, endpointId)
    return isOff
  })
  count(deps, outcome)
  if (isSwitchedOff) {
    deps.webhookCounts.disabled += 1
    deps.log.warn({ shopId, endpointId, reason }, 'a webhook endpoint is disabled')
  }
}

function count({ webhookCounts }: Deps, { ended: { state } }: Outcome): void {
  webhookCounts[state === 'pending' ? 'retried' : state] += 1
}
