import type { Timings } from '../../../timings.ts'

/** How many deliveries to one endpoint may run at a time, over all processes; after a failed delivery only one. */
export const MAX_IN_FLIGHT = 4
export const MAX_IN_FLIGHT_WHILE_FAILING = 1

/**
 * How many of the `free` slots a shop that holds `held` may take: so many that it holds at most three times as many as are
 * then free, and one if it holds none. So one shop alone gets three quarters of all slots, a second one three quarters of the rest.
 */
export function shareOf(held: number, free: number): number {
  const share = Math.max(0, Math.floor((3 * free - held) / 4))
  return held === 0 ? Math.max(share, Math.min(1, free)) : share
}

/** Spreads the retries of deliveries that failed at the same time. */
const JITTER = 0.2

/** The result of a request to an endpoint: `status` if it responded, else `error`. */
export type Attempt = {
  status: number | null
  durationMs: number
  /** The first 500 characters of the response's body. */
  answer: string
  error: string | null
  /** The response's Retry-After, in ms. */
  retryAfterMs: number | undefined
}

/**
 * The next state of a delivery after an attempt. Any 2xx ends it, and 410 means that the endpoint is gone. Everything
 * else, redirects included, is retried until the retries are used up. `tries` counts the attempts before this one since
 * the delivery was last requested. A Retry-After is respected, for a day at most.
 */
export function nextStep(
  attempt: Pick<Attempt, 'status' | 'retryAfterMs'>,
  tries: number,
  { now, timings, random }: { now: Date; timings: Timings; random: number },
): { state: 'delivered' | 'failed'; isGone: boolean } | { state: 'pending'; dueAt: Date } {
  const { status, retryAfterMs = 0 } = attempt
  if (status !== null && status >= 200 && status < 300) return { state: 'delivered', isGone: false }
  if (status === 410) return { state: 'failed', isGone: true }
  const pauseMs = timings.webhookRetryPausesMs[tries]
  if (pauseMs === undefined) return { state: 'failed', isGone: false }
  const ownMs = pauseMs * (1 - JITTER + 2 * JITTER * random)
  const waitMs = Math.max(ownMs, Math.min(retryAfterMs, timings.webhookLongestWaitMs))
  return { state: 'pending', dueAt: new Date(now.getTime() + waitMs) }
}

/**
 * Until when an endpoint asked for no requests at all: it responded 429 or 503 with a Retry-After, which is respected
 * for an hour at most. Undefined if it did not ask.
 */
export function pausedUntil(
  { status, retryAfterMs = 0 }: Pick<Attempt, 'status' | 'retryAfterMs'>,
  { now, timings }: { now: Date; timings: Timings },
): Date | undefined {
  if ((status !== 429 && status !== 503) || retryAfterMs === 0) return undefined
  return new Date(now.getTime() + Math.min(retryAfterMs, timings.webhookLongestPauseMs))
}

/** Whether all deliveries to an endpoint have failed for so long that it is disabled. */
export function hasFailedTooLong(
  failingSince: Date | null,
  { now, timings }: { now: Date; timings: Timings },
): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= timings.webhookFailingMs
}

/** The milliseconds that a Retry-After header asks for, whether in seconds or as a date; undefined if it is neither. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}
