import type { RefusalCode } from '../../errors.ts'
import { type RouteError, statusOfRefusal } from '../../http/error-map.ts'
import { refusal } from './error-schemas.ts'

/** What decides which errors an operation may answer. */
export type OperationKind = {
  method: string
  url: string
  hasQuery: boolean
  takesIdempotencyKey: boolean
  /** What its route states: codes of its rules, and statuses without a code. */
  own: readonly RouteError[]
}

/** `isOwn`: with a code that the route states. */
type Found = { codes: Set<string>; isPlain: boolean; isOwn: boolean }

/** The shape of an error without a code, by its status. */
const PLAIN: Record<number, string> = {
  400: 'ValidationFailed',
  401: 'Failure',
  404: 'NotFound',
  413: 'Failure',
  415: 'Failure',
  429: 'RateLimited',
  500: 'Failure',
  503: 'Failure',
}

const DESCRIPTIONS: Record<number, string> = {
  400: 'The request is not as it must be, or a rule refuses it',
  401: 'The credential is missing or not valid',
  403: 'The credential is valid, but not for this',
  404: 'What the request names is not there',
  409: 'The present state does not allow it',
  413: 'The body is larger than the limit',
  415: 'The body has a content type or coding that is not taken',
  422: 'The idempotency key belongs to another request',
  429: 'Too many requests',
  500: 'An id that is none (24 hexadecimal characters), or an unexpected error',
  503: 'The service, or a part that it needs, is away or busy: repeat the request',
}

const RETRIED = [429, 503]
const retryAfter = {
  'Retry-After': { description: 'Seconds to wait before the next try', schema: { type: 'integer' } },
}

/**
 * The error responses of an operation (G-02), by status: those that all of its kind have, and what its route states.
 * Those that operations share are references to what `named` takes up.
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
  plain(500)
  if (hasQuery) plain(400)
  if (url.includes(':')) {
    plain(404)
    refused('MALFORMED_PATH')
  }
  if (method !== 'GET') plain(400, 413, 415)
  if (isShops || isManagement) plain(401, 429)
  if (isShops) refused('SCOPE_MISSING')
  // The session of somebody who is signed in.
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
  return {
    description: DESCRIPTIONS[status],
    ...(RETRIED.includes(status) && { headers: retryAfter }),
    content: { 'application/json': { schema: shapes.length === 1 ? shapes[0] : { anyOf: shapes } } },
  }
}

/** `Error400`, `Error400MalformedPath`: the same for the same status and codes. */
function nameOf(status: number, codes: string[], isPlain: boolean): string {
  const words = codes.flatMap((code) => code.toLowerCase().split('_'))
  const told = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return `Error${status}${isPlain || codes.length === 0 ? '' : 'Only'}${told}`
}
