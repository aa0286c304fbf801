import { Problem } from './problem.ts'

/** Answers that were given before the key was looked at: they say nothing of an earlier attempt with it (G-10). */
const UNDECIDED = new Set([401, 403, 408, 425, 429])

/** Whether the service definitely refused a request; otherwise it may have done it. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Problem)) return false
  return error.status < 500 && !UNDECIDED.has(error.status) && error.code !== 'IDEMPOTENCY_KEY_IN_PROGRESS'
}

/** Whether no answer of the service came: it is away, or the network is. */
export function isLost(error: unknown): boolean {
  return !(error instanceof Problem) || [502, 503, 504].includes(error.status)
}

/** Whether it is this request that the service fails at, and the next one may do better. */
export function isOnlyThis(error: unknown): boolean {
  return error instanceof Problem && error.status >= 500 && !isLost(error)
}
