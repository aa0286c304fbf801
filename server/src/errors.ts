import { type FieldRule, type PlainRule, type RuleValues, sentenceOfRule } from './field-rules.ts'
import type { ObjectId } from './lib/object-id.ts'
import type { OrderStatusName, SendableWhen, TemplateStatusName } from './texts/keys.ts'

/** The part of a request that has a problem; `validation.<source>` in the response (G-02). */
export type ValidationSource = 'headers' | 'body' | 'query'

/**
 * One problem. `path` names the field (`['cta', 0, 'url']`) and `message` describes the problem in Joi's words (G-03).
 * `rule` and `values` contain the same information, so callers can write the message in another language.
 */
export type Problem = { path: (string | number)[]; rule: FieldRule; values: RuleValues; message: string }

/** Input that breaks a shape or a rule of a field: 400 in the validation shape (G-02). */
export class ValidationError extends Error {
  readonly source: ValidationSource
  readonly problems: Problem[]

  constructor(source: ValidationSource, problems: Problem[]) {
    super(problems.map((problem) => problem.message).join('. '))
    this.name = 'ValidationError'
    this.source = source
    this.problems = problems
  }
}

/**
 * The response body of a {@link ValidationError}: celebrate's shape, with keys joined by dots. With details it also
 * lists the problems one by one, for callers that write their own messages.
 */
export function validationBody({ source, problems, message }: ValidationError, hasDetails = false) {
  const keys = problems.map(({ path }) => path.join('.'))
  const details = problems.map(detailOf)
  return {
    statusCode: 400,
    error: 'Bad Request',
    message: 'Validation failed',
    validation: { [source]: { source, keys, message, ...(hasDetails ? { details } : {}) } },
  }
}

/** A problem as callers get it. `values.label` is the field's name as in the message. */
export function detailOf({ path, rule, values, message }: Problem) {
  return { key: path.join('.'), message, rule, values: { label: labelOf(path), ...values } }
}

/** A field's name as Joi writes it: `cta[0].url`, or `value` for the whole body. */
export function labelOf(path: Problem['path']): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else text += text === '' ? part : `.${part}`
  }
  return text || 'value'
}

/** The problem of breaking `rule`, with the message in English: `"<field>" <sentence of the rule>`. */
export function problemOf(path: Problem['path'], rule: PlainRule, values: RuleValues = {}): Problem {
  return { path, rule, values, message: `"${labelOf(path)}" ${sentenceOfRule(rule, values)}` }
}

/** A single problem with a field of the body. */
export function invalidField(path: Problem['path'], rule: PlainRule, values?: RuleValues): ValidationError {
  return new ValidationError('body', [problemOf(path, rule, values)])
}

/** A single problem with a query parameter. */
export function invalidQuery(parameter: string, rule: PlainRule, values?: RuleValues): ValidationError {
  return new ValidationError('query', [problemOf([parameter], rule, values)])
}

/** What a 404 can be about. Each has its text in every language. */
export type Resource =
  | 'route'
  | 'shop'
  | 'key'
  | 'officialAccount'
  | 'platformApp'
  | 'smsSender'
  | 'product'
  | 'category'
  | 'image'
  | 'customer'
  | 'audience'
  | 'warehouse'
  | 'entry'
  | 'order'
  | 'shift'
  | 'news'
  | 'template'
  | 'message'
  | 'batch'
  | 'import'
  | 'export'
  | 'webhook'
  | 'event'
  | 'member'
  | 'invitation'
  | 'user'
  | 'queue'
  | 'job'

/** The caller named something that does not exist, or that another shop owns: 404 (G-02). */
export class NotFound extends Error {
  readonly resource: Resource

  constructor(resource: Resource) {
    super(`${resource} not found`)
    this.name = 'NotFound'
    this.resource = resource
  }
}

/** The path exists, but not with the request's method: 405 (G-02). */
export class MethodNotAllowed extends Error {
  readonly allowed: string[]

  constructor(allowed: string[]) {
    super(`allowed: ${allowed.join(', ')}`)
    this.name = 'MethodNotAllowed'
    this.allowed = allowed
  }
}

/** An id that is not 24 hex characters: 500, as the contract's table of errors says (G-04). */
export class MalformedId extends Error {
  readonly parameter: string

  constructor(parameter: string) {
    super(`"${parameter}" is not a valid object id: use 24 hexadecimal characters`)
    this.name = 'MalformedId'
    this.parameter = parameter
  }
}

/** The kinds of credentials: a shop's key, the operator's token (G-61), a signature, the console's session. */
export type Credential =
  | 'apiKey'
  | 'operatorToken'
  | 'metricsToken'
  | 'signature'
  | 'smsReport'
  | 'session'
  | 'password'

/** The credential is missing or not valid: 401, one body for every cause (G-02). */
export class Unauthorized extends Error {
  readonly needed: Credential

  constructor(needed: Credential = 'apiKey') {
    super('unauthorized')
    this.name = 'Unauthorized'
    this.needed = needed
  }
}

/** The messaging platform could not be reached, and nothing was sent: 503, retry later. */
export class PlatformAway extends Error {
  /** Undefined if it is not known. */
  readonly retryAfterSeconds: number | undefined

  constructor(retryAfterSeconds?: number) {
    super('the messaging platform could not be reached')
    this.retryAfterSeconds = retryAfterSeconds
    this.name = 'PlatformAway'
  }
}

/** The image store failed: 503, retry later. The cause is for the log. */
export class StorageAway extends Error {
  constructor(says: string, cause?: unknown) {
    super(says, { cause })
    this.name = 'StorageAway'
  }
}

/** The stable codes of refusals (G-02). Their statuses are in `http/error-map.ts`. */
export type RefusalCode =
  | 'MALFORMED_PATH'
  | 'SCOPE_MISSING'
  | 'COSTS_FOR_OWNERS'
  | 'SHIFT_OF_ANOTHER'
  | 'SHOP_SUSPENDED'
  | 'SHOP_IN_DELETION'
  | 'SHOP_BEING_ERASED'
  | 'CROSS_SITE_REQUEST'
  | 'LAST_OWNER'
  | 'ROLE_HIGHER'
  | 'INVITATION_FOR_ANOTHER'
  | 'ADDRESS_NOT_PROVED'
  | 'LINK_USED'
  | 'NO_MAIL'
  | 'KEY_ENDED'
  | 'OA_IN_USE'
  | 'JOB_NOT_FAILED'
  | 'JOB_NOT_NEEDED'
  | 'APP_IN_USE'
  | 'NO_PLATFORM_APP'
  | 'CONNECT_EXPIRED'
  | 'CONNECT_REFUSED'
  | 'OA_LINKED_ELSEWHERE'
  | 'SHOP_MISMATCH'
  | 'ITEM_SKU_TAKEN'
  | 'BARCODE_TAKEN'
  | 'PRODUCT_IN_ORDERS'
  | 'CATEGORY_HAS_CHILDREN'
  | 'CATEGORY_HAS_PRODUCTS'
  | 'TOO_MANY_CATEGORIES'
  | 'IMAGE_NOT_SUPPORTED'
  | 'IMAGE_UNREADABLE'
  | 'IMAGE_TOO_LARGE'
  | 'IMAGE_SIDE_TOO_LONG'
  | 'IMAGES_BUSY'
  | 'FORM_TOO_COMPLEX'
  | 'TOO_MANY_IMPORTS'
  | 'CUSTOMER_PHONE_TAKEN'
  | 'AUDIENCE_NAME_TAKEN'
  | 'TOO_MANY_AUDIENCES'
  | 'ALREADY_MEMBER'
  | 'TOO_MANY_INVITATIONS'
  | 'TOTAL_MISMATCH'
  | 'OUT_OF_STOCK'
  | 'STOCK_CHANGED'
  | 'ORDER_NOT_CANCELLABLE'
  | 'ORDER_STATUS_NOT_ALLOWED'
  | 'ORDER_CANCELLED'
  | 'ORDER_NOT_RETURNABLE'
  | 'TOO_MANY_RETURNS'
  | 'RETURN_ABOVE_SOLD'
  | 'REFUND_ABOVE_CREDIT'
  | 'PAYMENT_ABOVE_PRICE'
  | 'PAYMENT_ABOVE_DEBT'
  | 'OPENING_DEBT_PAID'
  | 'PAYMENT_ABOVE_ORDERS'
  | 'SHIFT_OPEN'
  | 'SHIFT_CLOSED'
  | 'SHIFT_CASH_CHANGED'
  | 'WAREHOUSE_IS_DEFAULT'
  | 'WAREHOUSE_IN_USE'
  | 'AMOUNT_TOO_LARGE'
  | 'TEMPLATE_NOT_EDITABLE'
  | 'TEMPLATE_NOT_PUBLISHABLE'
  | 'TEMPLATE_NOT_DELETABLE'
  | 'TEMPLATE_NOT_SENDABLE'
  | 'TOO_MANY_UNFINISHED'
  | 'TOO_MANY_NEWS_DRAFTS'
  | 'TOO_MANY_NEWS_ITEMS'
  | 'OA_NOT_LINKED'
  | 'UID_NOT_PRICED'
  | 'PHONE_NOT_PRICED'
  | 'WALLET_TOO_LOW'
  | 'WALLET_BELOW_ZERO'
  | 'PLATFORM_REFUSED'
  | 'RECIPIENT_LIMIT'
  | 'RECIPIENT_OPTED_OUT'
  | 'PERSON_HAS_OPEN_MESSAGES'
  | 'PERSON_IN_IMPORT'
  | 'CURSOR_TOO_OLD'
  | 'EXPORTS_BUSY'
  | 'WEBHOOK_LIMIT'
  | 'WEBHOOK_DISABLED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'RECORD_CHANGED'

/**
 * Values that a refusal's text contains, as `{name}`. The response contains them only in the text, except for
 * `retryAfterSeconds`, which is also sent as the `Retry-After` header. A status is named, and `vnd` written as a sum of money, in the
 * reader's language.
 */
export type RefusalValues = Record<string, string | number | WordedValue>
export type WordedValue =
  | { orderStatus: OrderStatusName }
  | { templateStatus: TemplateStatusName }
  | { sendableWhen: SendableWhen }
  | { vnd: number }

/** A rule of the shop, the wallet or the platform refuses the request (G-02). */
export class Refused extends Error {
  readonly code: RefusalCode
  readonly values: RefusalValues
  /** The platform's own error number, which E6 returns in `error` (G-24). */
  readonly platformError: number | undefined

  constructor(code: RefusalCode, values: RefusalValues = {}, platformError?: number) {
    super(code)
    this.name = 'Refused'
    this.code = code
    this.values = values
    this.platformError = platformError
  }
}

/** The last change of a record: when it was made, and by which member or key (null if not known). */
export type LastChange = {
  version: number
  at: Date
  by: { type: 'member' | 'key'; id: ObjectId; name: string } | null
}

/** The caller asked to change the record only if it was unchanged, but it was changed since they read it: 412 (G-71). */
export class RecordChanged extends Refused {
  readonly change: LastChange

  constructor(change: LastChange) {
    super('RECORD_CHANGED')
    this.name = 'RecordChanged'
    this.change = change
  }
}
