import { Problem } from './problem.ts'

/** Responses that the service gives before it looks up the key, so they say nothing about an earlier attempt with it (G-10). */
const UNDECIDED = new Set([401, 403, 408, 425, 429])

/** Whether the service definitely refused a request. Otherwise it may have executed it. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Problem)) return false
  return error.status < 500 && !UNDECIDED.has(error.status) && error.code !== 'IDEMPOTENCY_KEY_IN_PROGRESS'
}

/** Whether no response came from the service: the service or the network is unavailable. */
export function isLost(error: unknown): boolean {
  return !(error instanceof Problem) || [502, 503, 504].includes(error.status)
}

/** Whether the service failed at this particular request, so that the next one may succeed. */
export function isServiceError(error: unknown): boolean {
  return error instanceof Problem && error.status >= 500 && !isLost(error)
}
