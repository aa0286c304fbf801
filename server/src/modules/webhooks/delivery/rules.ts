import type { Timings } from '../../../timings.ts'

/** How many deliveries to one endpoint run at a time, over all processes; after a failed delivery only one. */
export const MAX_IN_FLIGHT = 4
export const MAX_IN_FLIGHT_WHILE_FAILING = 1

/** Retries of many deliveries that failed together come apart. */
const JITTER = 0.2

/** What a request to an endpoint came to: `status` when it answered, else `error`. */
export type Attempt = {
  status: number | null
  durationMs: number
  /** The first 500 characters. */
  answer: string
  error: string | null
  /** The answer's Retry-After, in ms. */
  retryAfterMs: number | undefined
}

/**
 * What becomes of a delivery after an attempt: any 2xx is its end, 410 says that the endpoint is no more, and
 * everything else, a redirect too, is tried again until the retries are used up. `tries` counts the attempts
 * before this one since the delivery was last asked for. An endpoint that asks to be left alone is, a day at most.
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
 * Until when an endpoint has asked to be left alone, with all that waits for it: by a 429 or 503 that has a Retry-After, an
 * hour at most. Undefined when it has not.
 */
export function pausedUntil(
  { status, retryAfterMs = 0 }: Pick<Attempt, 'status' | 'retryAfterMs'>,
  { now, timings }: { now: Date; timings: Timings },
): Date | undefined {
  if ((status !== 429 && status !== 503) || retryAfterMs === 0) return undefined
  return new Date(now.getTime() + Math.min(retryAfterMs, timings.webhookLongestPauseMs))
}

/** Whether every delivery to an endpoint has failed for so long that it is disabled. */
export function hasFailedTooLong(
  failingSince: Date | null,
  { now, timings }: { now: Date; timings: Timings },
): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= timings.webhookFailingMs
}

/** The milliseconds that a Retry-After asks for, in seconds or as a date; undefined when it says neither. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}
