import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway, isDatabaseBusy, isWriteRefused } from '../db/client.ts'
import {
  MalformedId,
  MethodNotAllowed,
  NotFound,
  PlatformAway,
  RecordChanged,
  type RefusalCode,
  Refused,
  StorageAway,
  Unauthorized,
  ValidationError,
  validationBody,
  type WordedValue,
} from '../errors.ts'
import { fillText, formatVnd, textsIn } from '../texts/catalogue.ts'
import { type Language, languageOf } from './language.ts'
import { RateLimited } from './limits/rate-limit.ts'
import { versionTag } from './record-version.ts'
import { type AcceptedBody, bodyParseProblem } from './validation/validate.ts'

/** An error that a route may answer: the code of a rule, or the status of an error without a code (G-02). */
export type RouteError = RefusalCode | 401 | 404 | 429 | 503

declare module 'fastify' {
  interface FastifySchema {
    /** Errors beyond those that all routes of its kind have, for the API document. */
    errors?: readonly RouteError[]
  }
  interface FastifyContextConfig {
    /** The media types of a body that is not JSON. */
    bodyTypes?: string[]
  }
}

/** The status of each refusal. The type requires an entry for every code. */
const STATUS: Record<RefusalCode, keyof typeof REASON> = {
  MALFORMED_PATH: 400,
  SCOPE_MISSING: 403,
  COSTS_FOR_OWNERS: 403,
  SHIFT_OF_ANOTHER: 403,
  SHOP_SUSPENDED: 403,
  SHOP_IN_DELETION: 409,
  SHOP_BEING_ERASED: 409,
  CROSS_SITE_REQUEST: 403,
  LAST_OWNER: 409,
  ROLE_HIGHER: 409,
  INVITATION_FOR_ANOTHER: 403,
  ADDRESS_NOT_PROVED: 403,
  LINK_USED: 400,
  NO_MAIL: 400,
  KEY_ENDED: 409,
  OA_IN_USE: 409,
  JOB_NOT_FAILED: 409,
  JOB_NOT_NEEDED: 409,
  APP_IN_USE: 409,
  NO_PLATFORM_APP: 409,
  CONNECT_EXPIRED: 409,
  CONNECT_REFUSED: 409,
  OA_LINKED_ELSEWHERE: 409,
  SHOP_MISMATCH: 400,
  ITEM_SKU_TAKEN: 409,
  BARCODE_TAKEN: 409,
  PRODUCT_IN_ORDERS: 409,
  CATEGORY_HAS_CHILDREN: 409,
  CATEGORY_HAS_PRODUCTS: 409,
  TOO_MANY_CATEGORIES: 409,
  IMAGE_NOT_SUPPORTED: 400,
  IMAGE_UNREADABLE: 400,
  IMAGE_TOO_LARGE: 400,
  IMAGE_SIDE_TOO_LONG: 400,
  IMAGES_BUSY: 429,
  FORM_TOO_COMPLEX: 400,
  TOO_MANY_IMPORTS: 409,
  CUSTOMER_PHONE_TAKEN: 409,
  AUDIENCE_NAME_TAKEN: 409,
  TOO_MANY_AUDIENCES: 409,
  ALREADY_MEMBER: 409,
  TOO_MANY_INVITATIONS: 409,
  RETURN_ABOVE_SOLD: 400,
  REFUND_ABOVE_CREDIT: 400,
  PAYMENT_ABOVE_DEBT: 400,
  OPENING_DEBT_PAID: 409,
  PAYMENT_ABOVE_ORDERS: 400,
  SHIFT_OPEN: 409,
  SHIFT_CLOSED: 409,
  SHIFT_CASH_CHANGED: 409,
  TOTAL_MISMATCH: 400,
  OUT_OF_STOCK: 400,
  STOCK_CHANGED: 409,
  ORDER_NOT_CANCELLABLE: 409,
  ORDER_NOT_RETURNABLE: 409,
  TOO_MANY_RETURNS: 409,
  ORDER_STATUS_NOT_ALLOWED: 409,
  ORDER_CANCELLED: 409,
  PAYMENT_ABOVE_PRICE: 400,
  WAREHOUSE_IS_DEFAULT: 409,
  WAREHOUSE_IN_USE: 409,
  AMOUNT_TOO_LARGE: 400,
  TEMPLATE_NOT_EDITABLE: 409,
  TEMPLATE_NOT_PUBLISHABLE: 409,
  TEMPLATE_NOT_DELETABLE: 409,
  TEMPLATE_NOT_SENDABLE: 400,
  TOO_MANY_UNFINISHED: 409,
  TOO_MANY_NEWS_DRAFTS: 409,
  TOO_MANY_NEWS_ITEMS: 409,
  OA_NOT_LINKED: 400,
  UID_NOT_PRICED: 400,
  PHONE_NOT_PRICED: 400,
  WALLET_TOO_LOW: 400,
  WALLET_BELOW_ZERO: 400,
  PLATFORM_REFUSED: 400,
  RECIPIENT_LIMIT: 429,
  RECIPIENT_OPTED_OUT: 400,
  PERSON_HAS_OPEN_MESSAGES: 409,
  PERSON_IN_IMPORT: 409,
  CURSOR_TOO_OLD: 410,
  EXPORTS_BUSY: 429,
  WEBHOOK_LIMIT: 409,
  WEBHOOK_DISABLED: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  IDEMPOTENCY_KEY_IN_PROGRESS: 409,
  RECORD_CHANGED: 412,
}

const REASON = {
  400: 'Bad Request',
  403: 'Forbidden',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
} as const
const NOT_ARRIVED = {
  statusCode: 400,
  error: 'Bad Request',
  message: 'The request did not arrive completely',
}
const RETRY_DATABASE_SECONDS = 2
const RETRY_BUSY_SECONDS = 5
const RETRY_PLATFORM_SECONDS = 5
const RETRY_STORAGE_SECONDS = 5

/** The status that a refusal is answered with. */
export function statusOfRefusal(code: RefusalCode): number {
  return STATUS[code]
}

/** The language that the caller asks for, otherwise that of its shop. */
export function languageOfRequest(request: FastifyRequest): Language {
  return languageOf(request.headers['accept-language'], request.shop?.language)
}

/** The text of a refusal for its caller. */
export function refusalMessage({ code, values }: Refused, language: Language): string {
  const named = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'object' ? wordsOf(value, language) : value,
  ])
  return fillText(textsIn(language).refused[code], Object.fromEntries(named))
}

function wordsOf(value: WordedValue, language: Language): string {
  if ('vnd' in value) return formatVnd(value.vnd, language)
  const { orderStatus, sendableWhen, templateStatus } = textsIn(language)
  if ('sendableWhen' in value) return sendableWhen[value.sendableWhen]
  return 'orderStatus' in value ? orderStatus[value.orderStatus] : templateStatus[value.templateStatus]
}

/** The body that a refusal is answered with (G-02). */
export function refusalBody(refused: Refused, language: Language) {
  const { code, platformError } = refused
  const statusCode = STATUS[code]
  const error = platformError ?? REASON[statusCode]
  const body = { statusCode, error, message: refusalMessage(refused, language), code }
  if (!(refused instanceof RecordChanged)) return body
  const { at, by } = refused.change
  return { ...body, changed: { at: at.toISOString(), by } }
}

/** Answers every error in the contract's shapes (G-02). No detail of an unexpected error leaves the process. */
export function setErrorMap(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => sendError(new NotFound('route'), request, reply))
  app.setErrorHandler(sendError)
}

/** Sends the response of an error. */
export function sendError(error: Error | FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const texts = textsIn(languageOfRequest(request))
  if (error instanceof ValidationError)
    return reply.code(400).send(validationBody(error, asksForDetails(request)))
  if (error instanceof NotFound) {
    return reply.code(404).send({ error: 'Resource not found', message: texts.notFound[error.resource] })
  }
  if (error instanceof MethodNotAllowed) {
    const allowed = error.allowed.join(', ')
    return reply
      .code(405)
      .header('allow', allowed)
      .send({
        statusCode: 405,
        error: 'Method Not Allowed',
        message: fillText(texts.methodNotAllowed, { method: request.method, allowed }),
      })
  }
  if (error instanceof Unauthorized) {
    return reply
      .code(401)
      .send({ statusCode: 401, error: 'Unauthorized', message: texts.unauthorized[error.needed] })
  }
  if (error instanceof RateLimited) return reply.code(429).send({ error: error.message })
  if (error instanceof Refused) {
    const { retryAfterSeconds } = error.values
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
    if (error instanceof RecordChanged) reply.header('etag', versionTag(error.change.version))
    const body = refusalBody(error, languageOfRequest(request))
    return reply.code(body.statusCode).send(body)
  }
  if (error instanceof MalformedId) {
    return reply.code(500).send({ statusCode: 500, error: 'Internal Server Error', message: error.message })
  }
  if (error instanceof PlatformAway) {
    return reply
      .code(503)
      .header('retry-after', error.retryAfterSeconds ?? RETRY_PLATFORM_SECONDS)
      .send({ statusCode: 503, error: 'Service Unavailable', message: texts.platformAway })
  }
  if (error instanceof StorageAway) {
    request.log.error({ err: error }, 'the image storage cannot be reached')
    return reply
      .code(503)
      .header('retry-after', RETRY_STORAGE_SECONDS)
      .send({ statusCode: 503, error: 'Service Unavailable', message: texts.storageAway })
  }
  // The caller disconnected while it was sending the body. Nobody receives this response.
  if (error === request.raw.errored) return reply.code(400).send(NOT_ARRIVED)
  if (isDatabaseAway(error)) {
    request.log.error({ err: error }, 'the database cannot be reached')
    return reply
      .code(503)
      .header('retry-after', RETRY_DATABASE_SECONDS)
      .send({
        statusCode: 503,
        error: 'Service Unavailable',
        message: isWriteRefused(error) ? texts.writesRefused : texts.databaseAway,
      })
  }
  if (isDatabaseBusy(error)) {
    request.log.warn({ err: error }, 'the wait for the database timed out')
    return reply.code(503).header('retry-after', RETRY_BUSY_SECONDS).send({
      statusCode: 503,
      error: 'Service Unavailable',
      message: texts.databaseBusy,
      code: 'DATABASE_BUSY',
    })
  }
  const problem = bodyParseProblem(error, { ...bodyOf(request), hasDetails: asksForDetails(request) })
  if (problem !== undefined) return reply.code(problem.statusCode).send(problem.body)
  request.log.error({ err: error }, 'unexpected error')
  return reply.code(500).send({ statusCode: 500, error: 'Internal Server Error', message: texts.unexpected })
}

/** Whether the caller asks for the details of field problems (G-03). */
export function asksForDetails({ headers }: FastifyRequest): boolean {
  return headers['x-validation-detail'] === '1'
}

/** The body that the request's route accepts. */
function bodyOf({ routeOptions }: FastifyRequest): AcceptedBody {
  return { types: routeOptions.config.bodyTypes, limitBytes: routeOptions.bodyLimit }
}
