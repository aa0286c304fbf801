import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway } from '../db/client.ts'
import {
  MalformedId,
  NotFound,
  PlatformAway,
  type RefusalCode,
  type RefusalValues,
  Refused,
  Unauthorized,
  ValidationError,
  validationBody,
} from '../errors.ts'
import { en } from '../texts/en.ts'
import { vi } from '../texts/vi.ts'
import { type Language, languageOf } from './language.ts'
import { RateLimited } from './rate-limit.ts'
import { bodyParseProblem } from './validate.ts'

/** The status of each refusal; complete by type. */
const STATUS: Record<RefusalCode, keyof typeof REASON> = {
  MALFORMED_PATH: 400,
  SHOP_MISMATCH: 400,
  ITEM_SKU_TAKEN: 409,
  BARCODE_TAKEN: 409,
  CUSTOMER_PHONE_TAKEN: 409,
  TOTAL_MISMATCH: 400,
  OUT_OF_STOCK: 400,
  AMOUNT_TOO_LARGE: 400,
  TEMPLATE_NOT_EDITABLE: 409,
  TEMPLATE_NOT_PUBLISHABLE: 409,
  TEMPLATE_NOT_DELETABLE: 409,
  TEMPLATE_NOT_SENDABLE: 400,
  OA_NOT_LINKED: 400,
  UID_NOT_PRICED: 400,
  PHONE_NOT_PRICED: 400,
  WALLET_TOO_LOW: 400,
  WALLET_BELOW_ZERO: 400,
  PLATFORM_REFUSED: 400,
  RECIPIENT_LIMIT: 429,
  IDEMPOTENCY_KEY_REUSED: 422,
  IDEMPOTENCY_KEY_IN_PROGRESS: 409,
}

const REASON = {
  400: 'Bad Request',
  409: 'Conflict',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
} as const
const RETRY_DATABASE_SECONDS = 2
const RETRY_PLATFORM_SECONDS = 5

/** The catalogue of texts in a language. */
export function textsIn(language: Language) {
  return language === 'vi' ? vi : en
}

export function languageOfRequest(request: FastifyRequest): Language {
  return languageOf(request.headers['accept-language'], request.shop?.language)
}

function fill(text: string, values: RefusalValues): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** What a refusal tells its caller. */
export function refusalMessage({ code, values }: Refused, language: Language): string {
  return fill(textsIn(language).refused[code], values)
}

/** Answers every error in the contract's shapes (G-02); nothing of an unexpected one leaves the process. */
export function setErrorMap(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => sendError(new NotFound('route'), request, reply))
  app.setErrorHandler(sendError)
}

/** Sends the answer that an error stands for. */
export function sendError(error: Error | FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const texts = textsIn(languageOfRequest(request))
  if (error instanceof ValidationError) return reply.code(400).send(validationBody(error))
  if (error instanceof NotFound) {
    return reply.code(404).send({ error: 'Resource not found', message: texts.notFound[error.resource] })
  }
  if (error instanceof Unauthorized) {
    return reply
      .code(401)
      .send({ statusCode: 401, error: 'Unauthorized', message: texts.unauthorized[error.needed] })
  }
  if (error instanceof RateLimited) return reply.code(429).send({ error: error.message })
  if (error instanceof Refused) {
    const statusCode = STATUS[error.code]
    const { retryAfterSeconds } = error.values
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
    return reply.code(statusCode).send({
      statusCode,
      error: error.platformError ?? REASON[statusCode],
      message: fill(texts.refused[error.code], error.values),
      code: error.code,
    })
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
  if (isDatabaseAway(error)) {
    request.log.error({ err: error }, 'the database is away')
    return reply
      .code(503)
      .header('retry-after', RETRY_DATABASE_SECONDS)
      .send({ statusCode: 503, error: 'Service Unavailable', message: texts.databaseAway })
  }
  const problem = bodyParseProblem(error)
  if (problem !== undefined) return reply.code(problem.statusCode).send(problem.body)
  request.log.error({ err: error }, 'unexpected error')
  return reply.code(500).send({ statusCode: 500, error: 'Internal Server Error', message: texts.unexpected })
}
