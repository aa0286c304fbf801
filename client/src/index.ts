import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch'
import { buildMethods } from './call-methods.ts'
import type { Methods } from './call-types.ts'
import { buildFeeds, type Feeds } from './feeds.ts'
import type { paths } from './schema.d.ts'
import { type Repeating, sendSafely } from './send-safely.ts'

export { ApiError, type ErrorCode } from './api-error.ts'
export type { CallOptions, Methods, Upload } from './call-types.ts'
export type { Feed } from './feeds.ts'
export { randomId } from './random-id.ts'
export type { components, operations, paths } from './schema.d.ts'
export { verifyWebhook, type WebhookEvent, WebhookVerificationError } from './verify-webhook.ts'

export type ShopbellOptions = Repeating & {
  /** Where the service listens, for example `https://shop.example`. */
  baseUrl: string
  /** A shop's key, `sb_live_…`. The console leaves it out, because it has a session cookie. */
  apiKey?: string
  /** Headers of every request, for example `accept-language`, or an operator's `authorization`. */
  headers?: ClientOptions['headers']
  fetch?: (request: Request) => Promise<Response>
}

export type Shopbell = Client<paths> & Methods & Feeds

/**
 * A typed client of the API, E1 to E16 and the extensions, generated from the API document, in two forms. Methods:
 * `shop.products.list({ search })` resolves to the response's body and throws {@link ApiError}; a list's `.all(…)`
 * gives all records. Paths: `shop.GET('/api/external/v1/products', …)` resolves to `{data, error, response}`.
 * {@link sendSafely} decides which requests wait and which are repeated.
 */
export function createShopbell(options: ShopbellOptions): Shopbell {
  const send = options.fetch ?? ((request: Request) => fetch(request))
  const client = createFetchClient<paths>({
    baseUrl: options.baseUrl,
    headers: {
      ...(options.apiKey === undefined ? {} : { 'x-api-key': `service-partner ${options.apiKey}` }),
      ...(options.headers as Record<string, string> | undefined),
    },
    fetch: (request) => sendSafely(request, send, options),
  })
  const request = client.request as (
    verb: string,
    path: string,
    init: object,
  ) => Promise<{ error?: unknown; response: Response }>
  const methods = buildMethods((verb, path, { params, body, options: call }) =>
    request(verb.toLowerCase(), path, {
      params,
      body,
      ...(isUpload(body) ? { bodySerializer: (bytes: unknown) => bytes } : {}),
      headers: {
        ...call.headers,
        ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
      },
      signal: call.signal,
      // The methods read the body depending on its type.
      parseAs: 'stream',
      fetch: (each: Request) =>
        sendSafely(each, send, { ...options, deadlineMs: call.deadlineMs ?? options.deadlineMs }),
    }),
  )
  return Object.assign(client, methods, buildFeeds(methods))
}

function isUpload(body: unknown): boolean {
  return (
    typeof body === 'string' ||
    body instanceof Blob ||
    body instanceof FormData ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body)
  )
}
