import { malformedIdOf, retryAfterOf } from './api-error.ts'
import { randomId } from './random-id.ts'

export type Repeating = {
  /**
   * Attempts after the first, where repeating is safe; waits for a rate limit do not count. Default 3; 0: none at all.
   */
  retries?: number
  /** The longest `Retry-After` to wait for; beyond it, the response is returned. Default: no limit. */
  maxWaitMs?: number
  /** The limit for one call in total, including waits: it is aborted then, and no wait begins that would end later. */
  deadlineMs?: number
}

const RETRIES = 3
const FIRST_PAUSE_MS = 250

/**
 * Sends a request and repeats it until the response is final. Writes of the external API get an `Idempotency-Key`
 * (G-10) unless they have one. It waits after a full rate limit (429) and while a first request is still running (409),
 * since nothing was done. Lost responses and 5xx are repeated if a second request does nothing twice: GET, and writes
 * with a key that the service keeps.
 * @returns the last response, which may still be a refusal.
 * @throws what `fetch` throws when there is no response, and the signal's reason.
 */
export async function sendSafely(
  given: Request,
  send: (request: Request) => Promise<Response>,
  { retries = RETRIES, maxWaitMs = Infinity, deadlineMs = Infinity }: Repeating,
): Promise<Response> {
  const endsAt = performance.now() + deadlineMs
  const request = deadlineMs === Infinity ? given : withTimeout(given, deadlineMs)
  const isKeyed = keepsKey(request)
  if (isKeyed && !request.headers.has('idempotency-key')) request.headers.set('idempotency-key', randomId())
  const isSafe = isKeyed || request.method === 'GET'

  for (let attempt = 0; ; ) {
    let pauseMs = FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2)
    const isLast = attempt >= retries
    let response: Response | undefined
    try {
      response = await send(retries === 0 ? request : request.clone())
    } catch (error) {
      if (isLast || !isSafe || request.signal.aborted || performance.now() + pauseMs > endsAt) throw error
      attempt += 1
    }
    if (response !== undefined) {
      const after = retryAfterOf(response)
      const repeating = retries === 0 ? 'no' : await repeatingOf(response, request.method, isSafe)
      const isCounted = repeating === 'counted' || after === undefined
      if (repeating === 'no' || (isCounted && isLast)) return response
      // Spreads clients that wait for the same minute.
      if (after !== undefined) pauseMs = after * 1000 + Math.random() * FIRST_PAUSE_MS
      if (pauseMs > maxWaitMs || performance.now() + pauseMs > endsAt) return response
      if (isCounted) attempt += 1
      response.body?.cancel().catch(() => {})
    }
    await pause(pauseMs, request.signal)
  }
}

/** Whether the service stores idempotency keys for the request: writes under `/api/external`, and wallet entries. */
function keepsKey({ method, url }: Request): boolean {
  return /^P/.test(method) && /\/api\/(external\/|manage\/.*\/wallet\/entries$)/.test(new URL(url).pathname)
}

function withTimeout(request: Request, ms: number): Request {
  return new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(ms)]) })
}

/** Whether the same request may succeed later, and whether the repeat counts as an attempt. */
async function repeatingOf(
  response: Response,
  method: string,
  isSafe: boolean,
): Promise<'no' | 'free' | 'counted'> {
  const { status } = response
  if (![409, 429].includes(status) && status < 500) return 'no'
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  const { code } = Object(body) as { code?: string }
  if (status === 409) return code === 'IDEMPOTENCY_KEY_IN_PROGRESS' ? 'free' : 'no'
  // A one-time password is of no use minutes later, so the caller gets this refusal.
  if (status === 429) return code === 'RECIPIENT_LIMIT' ? 'no' : 'free'
  // A 503 means that nothing was done, so deleting again does no harm.
  const mayRepeat = isSafe || (status === 503 && method === 'DELETE')
  return mayRepeat && malformedIdOf(status, body) === undefined ? 'counted' : 'no'
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, signal.aborted ? 0 : ms)
    signal.addEventListener('abort', end)
  })
}
