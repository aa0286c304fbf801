import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sqlProblem } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { NotFound, problemOf, Refused, type Resource, ValidationError } from '../../errors.ts'
import type { PlainRule, RuleValues } from '../../field-rules.ts'
import { type Ids, normalizeObjectId, type ObjectId } from '../../lib/object-id.ts'
import { retryBeyondWait } from '../../lib/retry.ts'
import { endOfClaim, KEPT_MS, MAX_KEY_LENGTH, requestHash } from './rules.ts'
import { type ClaimOutcome, claimKey, deleteClaim, releaseClaim, updateAnswered } from './sql.ts'

/** A request's claim on its key (G-10). */
export type Claim = {
  key: string
  /** The id of the record that the request creates: the same for every attempt. */
  resourceId: ObjectId
  /** An earlier attempt ended without a response, so its record may exist. */
  isTakenOver: boolean
  /** The request definitely had no effect that must be kept, so its key is deleted. */
  isVoid: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    idempotency: Claim | undefined
  }
  interface FastifyContextConfig {
    /** The response contains a secret, so it is stored encrypted. */
    hasSecretAnswer?: boolean
  }
}

/** The header as the API document shows it, for the operations that use these hooks. */
export const idempotencyHeader = {
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description:
        'Makes the request safe to repeat for 24 hours: a repetition returns the first response with `Idempotency-Replayed: true`, and nothing is done twice',
    },
  },
}

const HEADER = 'idempotency-key'
const METHODS = new Set(['POST', 'PUT', 'PATCH'])
const CLAIM_TRIES = 5
/** Most requests in progress end within this time; the lease only says when a request must have died. */
const ASK_AGAIN_SECONDS = 2

export type Idempotency = ReturnType<typeof buildIdempotency>

/**
 * The hooks of G-10, for the operations of shops, or those whose shop `shopOf` knows. Without the header they cost no round trip;
 * with it, one before the handler and one before the response is sent. A repeated request gets its response without its handler.
 */
export function buildIdempotency(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'secrets' | 'timings' | 'log'>,
  shopOf: (request: FastifyRequest) => ObjectId = (request) => request.shop.id,
) {
  const { db, clock, secrets, timings, log } = deps

  /** preValidation. @throws ValidationError when the header is empty or longer than 255 characters. */
  function checkKey(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
    const key = keyOf(request)
    if (key === '') throw invalidKey('string.empty')
    if (key !== undefined && key.length > MAX_KEY_LENGTH) {
      throw invalidKey('string.max', { limit: MAX_KEY_LENGTH })
    }
    done()
  }

  /**
   * preHandler: claims the key, or responds with the stored response of an earlier request with the key.
   * @throws Refused IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_PROGRESS.
   */
  function claim(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const key = keyOf(request)
    if (key === undefined) done()
    else claimOrAnswer(request, reply, key).then((isAnswered) => isAnswered || done(), done)
  }

  async function claimOrAnswer(request: FastifyRequest, reply: FastifyReply, key: string): Promise<boolean> {
    const offered = deps.ids.next()
    const found = await claimOf(request, key, offered)
    switch (found.outcome) {
      case 'claimed': {
        const { resourceId } = found
        request.idempotency = { key, resourceId, isTakenOver: resourceId !== offered, isVoid: false }
        return false
      }
      case 'answered':
        if (found.etag !== null) reply.header('etag', found.etag).header('cache-control', 'no-store')
        reply
          .code(found.status)
          .header('idempotency-replayed', 'true')
          .type('application/json; charset=utf-8')
          .send(found.isSealed ? secrets.open(Buffer.from(found.body, 'base64')) : found.body)
        return true
      case 'other-request':
        throw new Refused('IDEMPOTENCY_KEY_REUSED')
      case 'in-progress': {
        const leftSeconds = Math.ceil((found.lockedUntil.getTime() - clock.now().getTime()) / 1000)
        throw new Refused('IDEMPOTENCY_KEY_IN_PROGRESS', {
          retryAfterSeconds: Math.max(1, Math.min(leftSeconds, ASK_AGAIN_SECONDS)),
        })
      }
    }
  }

  async function claimOf(request: FastifyRequest, key: string, resourceId: ObjectId): Promise<ClaimOutcome> {
    const { method, url, body } = request
    const hash = requestHash({ method, path: withLowerIds(url.split('?')[0]!), body })
    for (let n = 0; n < CLAIM_TRIES; n++) {
      const now = clock.now()
      const found = await claimKey(db, shopOf(request), {
        key,
        requestHash: hash,
        resourceId,
        requestId: request.id,
        lockedUntil: new Date(now.getTime() + timings.idempotencyLeaseMs),
        expiresAt: new Date(now.getTime() + KEPT_MS),
        now,
      })
      if (found !== undefined) return found
    }
    // Claimed and released between the two reads: another request is being processed.
    return { outcome: 'in-progress', lockedUntil: new Date(clock.now().getTime() + 1_000) }
  }

  /**
   * onSend: stores the response, or frees the key. The response is sent even if that fails; the claim then ends with its lease.
   */
  function finish(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: Error | null, payload?: unknown) => void,
  ): void {
    const held = request.idempotency
    if (held === undefined) done(null, payload)
    else store(request, reply, payload, held).then(() => done(null, payload), done)
  }

  async function store(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    held: Claim,
  ): Promise<void> {
    request.idempotency = undefined
    const { statusCode } = reply
    const etag = reply.getHeader('etag')
    const text = typeof payload === 'string' ? payload : ''
    const end = endOfClaim(statusCode, held, text.length)
    const isSealed = request.routeOptions.config.hasSecretAnswer === true
    const body = isSealed ? secrets.seal(text).toString('base64') : text
    const done = endClaim(request, held, () => {
      const shopId = shopOf(request)
      const holder = { key: held.key, requestId: request.id }
      if (end === 'delete') return deleteClaim(db, shopId, holder)
      if (end === 'release') return releaseClaim(db, shopId, holder, clock.now())
      return updateAnswered(db, shopId, holder, {
        status: statusCode,
        body,
        isSealed,
        etag: etag === undefined ? null : String(etag),
      })
    })
    // If the database is unavailable, the response must not wait for it.
    await (statusCode < 500 ? done : Promise.race([done, pause(timings.idempotencyOnErrorMs)]))
  }

  /**
   * Waits for the first attempt only, whatever its result; later attempts continue while the response is being sent. Never
   * throws.
   */
  function endClaim(request: FastifyRequest, held: Claim, write: () => Promise<void>): Promise<void> {
    const failed = (error: unknown) => {
      const { resourceId } = held
      log.warn({ err: error, requestId: request.id, resourceId }, 'an idempotency key was not finished')
    }
    return retryBeyondWait(timings.idempotencyRetryPausesMs, failed, write, 1)
  }

  return { checkKey, claim, finish }
}

/**
 * Creates a record idempotently, however often the request is sent with its key (G-10): `create` receives the record's id. If an
 * earlier attempt ended without a response, `find` first looks for the record that it may have created. `kind` is given for records
 * whose row stays when they are deleted.
 * @throws NotFound if that record has been deleted since.
 */
export async function idempotentCreate<Row>(
  request: FastifyRequest,
  ids: Ids,
  work: {
    kind?: Resource
    find(id: ObjectId): Promise<Row | undefined>
    create(id: ObjectId): Promise<Row>
  },
): Promise<Row> {
  const claim = request.idempotency
  if (claim === undefined) return work.create(ids.next())
  const earlier = claim.isTakenOver ? await work.find(claim.resourceId) : undefined
  if (earlier !== undefined) return earlier
  try {
    return await work.create(claim.resourceId)
  } catch (error) {
    const problem = sqlProblem(error)
    if (problem?.state !== '23505') throw error
    // The earlier attempt was slow, not dead.
    const late = await work.find(claim.resourceId)
    if (late !== undefined) return late
    throw work.kind !== undefined && problem.constraint?.endsWith('_pkey') ? new NotFound(work.kind) : error
  }
}

function keyOf(request: FastifyRequest): string | undefined {
  if (!METHODS.has(request.method)) return undefined
  const header = request.headers[HEADER]
  return Array.isArray(header) ? header.join(', ') : header
}

function invalidKey(rule: PlainRule, values?: RuleValues): ValidationError {
  return new ValidationError('headers', [problemOf([HEADER], rule, values)])
}

/** The path with its ids in lower case: both spellings name the same record (G-04). */
function withLowerIds(path: string): string {
  return path.replace(/(?<=\/)[0-9a-f]{24}(?=\/|$)/gi, normalizeObjectId)
}
