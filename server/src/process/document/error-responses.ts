import type { RefusalCode } from '../../errors.ts'
import { type RouteError, statusOfRefusal } from '../../http/error-map.ts'
import { PLAIN_EXAMPLES } from './error-examples.ts'
import { refusal } from './error-schemas.ts'

/** The properties of an operation that decide which errors it may return. */
export type OperationKind = {
  method: string
  url: string
  hasQuery: boolean
  takesIdempotencyKey: boolean
  /** The errors that its route states: codes of its rules, and statuses without a code. */
  own: readonly RouteError[]
}

/** `isOwn`: one of the codes is stated by the route. */
type Found = { codes: Set<string>; isPlain: boolean; isOwn: boolean }

/** The schema of an error without a code, by its status. */
const PLAIN: Record<number, string> = {
  400: 'ValidationFailed',
  401: 'Failure',
  404: 'NotFound',
  408: 'Failure',
  413: 'Failure',
  415: 'Failure',
  429: 'RateLimited',
  431: 'Failure',
  500: 'Failure',
  503: 'Failure',
}

const DESCRIPTIONS: Record<number, string> = {
  400: 'The request is malformed, or a rule refuses it',
  401: 'The credential is missing or not valid',
  403: 'The credential is valid, but not for this operation',
  404: 'A record that the request names does not exist',
  408: 'The request did not arrive in time',
  409: 'The current state does not allow the request',
  410: 'What the request refers to is no longer kept',
  412: 'The record no longer matches `If-Match`',
  413: 'The body is larger than the limit',
  415: 'The body has an unsupported content type or encoding',
  422: 'The idempotency key belongs to another request',
  429: 'Too many requests',
  431: 'The URL and the headers together are too long',
  500: 'A malformed id (24 hexadecimal characters are required), or an unexpected error',
  503: 'The service, or a part that it needs, is unavailable or busy: retry the request',
}

const RETRIED = [429, 503]
const retryAfter = {
  'Retry-After': { description: 'Seconds to wait before the next try', schema: { type: 'integer' } },
}

/**
 * The error responses of an operation (G-02) by status: those of all operations of its kind, and those that its route
 * states. Shared responses are references to schemas, which are added to `named`.
 */
export function errorResponses(kind: OperationKind, named: Record<string, object>): Record<string, object> {
  const responses: Record<string, object> = {}
  for (const [status, { codes: found, isPlain, isOwn }] of errorsOf(kind)) {
    const codes = [...found].sort()
    const response = responseOf(status, codes, isPlain)
    const name = nameOf(status, codes, isPlain)
    if (!isOwn) named[name] = response
    responses[status] = isOwn ? response : { $ref: `#/components/responses/${name}` }
  }
  return responses
}

function errorsOf({ method, url, hasQuery, takesIdempotencyKey, own }: OperationKind): Map<number, Found> {
  const errors = new Map<number, Found>()
  const at = (status: number) => {
    const found = errors.get(status) ?? { codes: new Set(), isPlain: false, isOwn: false }
    errors.set(status, found)
    return found
  }
  const plain = (...statuses: number[]) => {
    for (const status of statuses) at(status).isPlain = true
  }
  const refused = (...codes: RefusalCode[]) => {
    for (const code of codes) at(statusOfRefusal(code)).codes.add(code)
  }

  const isShops = url.startsWith('/api/external/')
  const isManagement = url.startsWith('/api/manage/')
  plain(408, 431, 500)
  if (hasQuery) plain(400)
  if (url.includes(':')) {
    plain(404)
    refused('MALFORMED_PATH')
  }
  if (method !== 'GET') plain(400, 413, 415)
  if (isShops || isManagement) plain(401, 429)
  if (isShops) refused('SCOPE_MISSING')
  if (isShops || url.startsWith('/api/manage/v1/shops/:id')) refused('SHOP_SUSPENDED')
  // Only a signed-in person's session can cause this error.
  if ((isShops || isManagement) && method !== 'GET') refused('CROSS_SITE_REQUEST')
  if (takesIdempotencyKey) refused('IDEMPOTENCY_KEY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED')
  if (url.startsWith('/api/')) {
    plain(503)
    at(503).codes.add('DATABASE_BUSY')
  }
  for (const error of own) {
    if (typeof error === 'number') plain(error)
    else {
      refused(error)
      at(statusOfRefusal(error)).isOwn = true
    }
  }
  return errors
}

function responseOf(status: number, codes: string[], isPlain: boolean): object {
  const shapes = [
    ...(isPlain ? [{ $ref: `#/components/schemas/${PLAIN[status]}` }] : []),
    ...(codes.length > 0 ? [refusal(codes)] : []),
  ]
  const names = [...(isPlain ? [PLAIN_EXAMPLES[status]] : []), ...codes]
  const examples = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]))
  return {
    description: DESCRIPTIONS[status],
    ...(RETRIED.includes(status) && { headers: retryAfter }),
    content: {
      'application/json': { schema: shapes.length === 1 ? shapes[0] : { anyOf: shapes }, examples },
    },
  }
}

/** The name of a response, such as `Error400` or `Error400MalformedPath`. The same status and codes have the same name. */
function nameOf(status: number, codes: string[], isPlain: boolean): string {
  const words = codes.flatMap((code) => code.toLowerCase().split('_'))
  const told = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return `Error${status}${isPlain || codes.length === 0 ? '' : 'Only'}${told}`
}
