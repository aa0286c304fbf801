import createFetchClient, { type ClientOptions } from 'openapi-fetch'
import { randomId } from './random-id.ts'
import type { paths } from './schema.d.ts'

export { randomId } from './random-id.ts'
export type { components, operations, paths } from './schema.d.ts'

export type ShopbellOptions = {
  /** Where the service listens, for example `https://shop.example`. */
  baseUrl: string
  /** A shop's key, `sb_live_…`. The console leaves it out: its session stands in the cookie. */
  apiKey?: string
  /** Headers of every request, for example `accept-language`. */
  headers?: ClientOptions['headers']
  /** Attempts after the first, where repeating is safe. 0 switches it off. */
  retries?: number
  fetch?: (request: Request) => Promise<Response>
}

export type Shopbell = ReturnType<typeof createShopbell>

const RETRIES = 3
const FIRST_PAUSE_MS = 250
/** A longer `Retry-After` is the caller's to wait for. */
const LONGEST_PAUSE_MS = 20_000

/**
 * A typed client of the external API, E1 to E16 and the extensions, from the API document.
 * Every POST, PUT and PATCH carries an `Idempotency-Key` (G-10), one made here unless the caller sets its own; so a
 * lost answer, a 429, a 503 or a request still running are tried again, and nothing is done twice. A POST of the
 * management API is sent once.
 * Calls answer `{data, error, response}` and throw only when no answer came at all.
 */
export function createShopbell(options: ShopbellOptions) {
  const send = options.fetch ?? ((request: Request) => fetch(request))
  const client = createFetchClient<paths>({
    baseUrl: options.baseUrl,
    headers: {
      ...(options.apiKey === undefined ? {} : { 'x-api-key': `service-partner ${options.apiKey}` }),
      ...(options.headers as Record<string, string> | undefined),
    },
    fetch: (request) => sendSafely(request, send, options.retries ?? RETRIES),
  })
  return client
}

async function sendSafely(
  request: Request,
  send: (request: Request) => Promise<Response>,
  retries: number,
): Promise<Response> {
  // But for wallets the management API keeps no idempotency keys: a shop whose answer is lost may have been made.
  const isManagement = new URL(request.url).pathname.startsWith('/api/manage/')
  const attempts = isManagement && request.method === 'POST' ? 0 : retries
  const isWrite = /^(POST|PUT|PATCH)$/.test(request.method)
  if (isWrite && !request.headers.has('idempotency-key')) request.headers.set('idempotency-key', randomId())
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt >= attempts
    let response: Response
    try {
      response = await send(isLast ? request : request.clone())
    } catch (error) {
      if (isLast || request.signal.aborted) throw error
      await pause(backoffMs(attempt))
      continue
    }
    if (isLast || !(await isWorthRepeating(response))) return response
    const pauseMs = retryAfterMs(response) ?? backoffMs(attempt)
    if (pauseMs > LONGEST_PAUSE_MS) return response
    await pause(pauseMs)
  }
}

/** Whether the same request may well be answered otherwise a little later. */
async function isWorthRepeating(response: Response): Promise<boolean> {
  if ([429, 502, 503, 504].includes(response.status)) return true
  if (response.status !== 409) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return (body as { code?: string } | undefined)?.code === 'IDEMPOTENCY_KEY_IN_PROGRESS'
}

function retryAfterMs(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : undefined
}

function backoffMs(attempt: number): number {
  return FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
