import type { operations } from './schema.d.ts'

/** The refusal codes of one operation. */
type CodesOf<Responses> = {
  [Status in keyof Responses]: Responses[Status] extends { content: { 'application/json': infer Body } }
    ? Body extends { code: infer Code extends string }
      ? Code
      : never
    : never
}[keyof Responses]

/** All values of `code` in the API document. */
export type ErrorCode = {
  [Id in keyof operations]: CodesOf<operations[Id]['responses']>
}[keyof operations]

type RefusedBody = {
  message?: string
  error?: string | number
  code?: string
  validation?: Record<string, { keys: string[]; message: string }>
}

/**
 * A response other than 2xx, in any shape that the service uses: an invalid field, a refused rule, an unknown record,
 * the rate limit, a fault.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** The refused rule, for example `WALLET_TOO_LOW`; absent for an invalid field, 401, 404 and the rate limit. */
  readonly code: ErrorCode | (string & {}) | undefined
  /** The invalid field, such as `skus.0.price`, or the invalid parameter. */
  readonly field: string | undefined
  /** All invalid fields: publishing a template names several. */
  readonly fields: readonly string[]
  /** Identifies the request in a report to the service's operator. */
  readonly requestId: string | undefined
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined
  /** The response's body as received: an object, or the text of a proxy in between. */
  readonly body: unknown

  constructor(response: Response, body: unknown) {
    const refused: RefusedBody = Object(body)
    const wrong = Object.values(refused.validation ?? {})[0]
    super(wrong?.message || refused.message || String(refused.error ?? `HTTP ${response.status}`))
    const malformedId = malformedIdOf(response.status, body)
    this.status = response.status
    this.code = refused.code
    this.fields = wrong?.keys ?? (malformedId === undefined ? [] : [malformedId])
    this.field = this.fields[0]
    this.requestId = response.headers.get('x-request-id') ?? undefined
    this.retryAfter = retryAfterOf(response)
    this.body = body
  }
}

/** The parameter that is not an id: the response to it is a 500 without a code. */
export function malformedIdOf(status: number, body: unknown): string | undefined {
  return status === 500 ? /^"(.+?)" is not a /.exec(Object(body).message)?.[1] : undefined
}

/** The seconds of `Retry-After`, which may also contain a date. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds))
}
