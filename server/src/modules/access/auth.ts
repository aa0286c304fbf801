import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/client.ts'
import { Refused, Unauthorized } from '../../errors.ts'
import type { Language } from '../../http/language.ts'
import type { Limiter, Limiters } from '../../http/limits/limiters.ts'
import { countOne } from '../../http/limits/rate-limit.ts'
import { createCache } from '../../lib/cache.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { sha256 } from '../../lib/secrets/sha256.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Timings } from '../../timings.ts'
import type { Oversell } from '../shops/sql.ts'
import { isKeyWellFormed, type Scope } from './keys/rules.ts'
import { findKeyByHash, touchKey } from './keys/sql.ts'
import type { MemberAuth } from './member-auth.ts'

/** The shop that a request acts for, and its rights there, by its key or session. */
export type RequestShop = {
  id: ObjectId
  /** Undefined if a member's session let the request in. */
  keyId: ObjectId | undefined
  scopes: readonly Scope[]
  /** Whether the caller may see what goods cost and what sales brought: every key may, but of the members only owners. */
  seesCosts: boolean
  /** Whether the caller may close other people's shifts and move their cash. */
  hasAllShifts: boolean
  /** The most of the shop's requests a minute that this key may use; null: all. */
  maxPerMinute?: number | null
  language: Language
  oversell: Oversell
}

declare module 'fastify' {
  interface FastifyRequest {
    shop: RequestShop
  }
}

const CACHE_ENTRIES = 50_000
const FAILURES_PER_MINUTE = 20
const USE_WRITTEN_EVERY_MS = 60_000

type Entry = {
  shop: RequestShop & { keyId: ObjectId }
  isSuspended: boolean
  expiresAt: number | undefined
  usedWrittenAt: number
}

export type Auth = {
  /** Finds the request's shop; 0 round trips while cached, else 1. */
  authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Drops every cached key of a shop, after a change of a key or of the shop. */
  forget(shopId: ObjectId): void
}

/**
 * Reads `x-api-key: service-partner <key>` (exactly one space, G-06); without the header, a member's session is used.
 * @throws Refused SHOP_SUSPENDED (G-69); Unauthorized for every other cause alike; RateLimited after 20 failures a minute from
 * one address. A valid key is never limited by such failures.
 */
export function buildAuth(
  deps: { db: Db; clock: Clock; timings: Timings; limiters: Limiters },
  members: MemberAuth,
): Auth {
  const cache = createCache<Entry>({
    max: CACHE_ENTRIES,
    keptMs: deps.timings.rightsKeptMs,
    now: () => deps.clock.now().getTime(),
  })
  const countFailure = failureLimit(deps.limiters.perMinute('key-failures', FAILURES_PER_MINUTE))

  function lookUp(key: string): Promise<Entry | undefined> {
    const hashed = hash('sha256', key, 'base64')
    return cache.get(hashed, async () => {
      if (!isKeyWellFormed(key)) return undefined
      const row = await findKeyByHash(deps.db, Buffer.from(hashed, 'base64'))
      if (row === undefined) return undefined
      const { shop_id: id, id: keyId, scopes, language, oversell, max_per_minute: maxPerMinute } = row
      return {
        shop: { id, keyId, scopes, seesCosts: true, hasAllShifts: true, maxPerMinute, language, oversell },
        isSuspended: row.is_suspended,
        expiresAt: row.expires_at?.getTime(),
        usedWrittenAt: row.last_used_at?.getTime() ?? 0,
      }
    })
  }

  return {
    async authenticate(request, reply) {
      const header = request.headers['x-api-key']
      if (header === undefined && (await members.enterShop(request))) return
      const key = keyOf(header)
      const entry = key === undefined ? undefined : await lookUp(key)
      const now = deps.clock.now()
      if (entry === undefined || (entry.expiresAt !== undefined && entry.expiresAt <= now.getTime())) {
        await countFailure(request, reply)
        throw new Unauthorized()
      }
      if (entry.isSuspended) throw new Refused('SHOP_SUSPENDED')
      request.shop = entry.shop
      if (now.getTime() - entry.usedWrittenAt >= USE_WRITTEN_EVERY_MS) {
        entry.usedWrittenAt = now.getTime()
        const minuteAgo = new Date(now.getTime() - USE_WRITTEN_EVERY_MS)
        touchKey(deps.db, entry.shop.id, entry.shop.keyId, now, minuteAgo).catch((error: unknown) => {
          request.log.warn({ err: error }, 'last use of a key was not written')
        })
      }
    },
    forget(shopId) {
      cache.forget((entry) => entry.shop.id === shopId)
    },
  }
}

/**
 * The hook of the management API: `Authorization: Bearer <operator token>` (G-61), one of the tokens, compared in constant time.
 * Without the header, the session of an operator is used, or an owner's session for their own shop.
 * @throws Unauthorized; RateLimited as `buildAuth` does, so that tokens cannot be guessed (G-06).
 */
export function buildOperatorAuth(
  tokens: readonly string[],
  members: MemberAuth,
  limiters: Limiters,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const countFailure = failureLimit(limiters.perMinute('operator-failures', FAILURES_PER_MINUTE))
  const expected = tokens.map((token) => sha256(token))
  return async (request, reply) => {
    if (request.headers.authorization === undefined && (await members.enterManagement(request))) return
    // The scheme of a header in upper or lower case is the same (RFC 9110).
    const [, token = ''] = /^bearer +(.*)$/i.exec(request.headers.authorization ?? '') ?? []
    const given = sha256(token)
    if (expected.filter((one) => timingSafeEqual(given, one)).length > 0) {
      request.isOperator = true
      return
    }
    await countFailure(request, reply)
    throw new Unauthorized('operatorToken')
  }
}

/** Counts a failure for the caller's address. @throws RateLimited when it exceeds the limit per minute. */
function failureLimit(failures: Limiter): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const says = `Too many failed authentications: the limit is ${FAILURES_PER_MINUTE} per minute`
  return (request, reply) => countOne(failures, request.ip, reply, says)
}

function keyOf(header: string | string[] | undefined): string | undefined {
  const match = typeof header === 'string' ? /^service-partner ([^\s]+)$/.exec(header) : null
  return match?.[1]
}
