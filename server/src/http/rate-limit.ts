import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterRes } from 'rate-limiter-flexible'
import type { Limiter, Limiters } from './limiters.ts'

/** Too many requests: 429 `{error}` (G-02). */
export class RateLimited extends Error {}

/**
 * Counts one to a key.
 * @throws RateLimited, with `Retry-After`, when that was one too many in the minute: `says` what there was too much of.
 */
export async function countOne(
  limiter: Limiter,
  key: string,
  reply: FastifyReply,
  says: string,
): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000))
    reply.header('retry-after', seconds)
    throw new RateLimited(`${says}. Retry in ${seconds} s`)
  }
}

/**
 * Counts each authenticated request to its shop's budget, or to its member's own where a session let it in, and
 * reports it in `RateLimit-Policy`, `RateLimit` and, when spent, `Retry-After` (G-07). No round trip to the database.
 * @throws RateLimited
 */
export function buildRateLimit(limiters: Limiters, perMinute: { shop: number; member: number }) {
  const budgets = {
    shop: limiters.perMinute('shop', perMinute.shop),
    member: limiters.perMinute('member', perMinute.member),
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const whose = request.memberId === undefined ? 'shop' : 'member'
    let result: RateLimiterRes
    let spent = false
    try {
      result = await budgets[whose].consume(request.memberId ?? request.shop.id)
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      result = error
      spent = true
    }
    const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000))
    reply.header('ratelimit-policy', `"${whose}";q=${perMinute[whose]};w=60`)
    reply.header('ratelimit', `"${whose}";r=${result.remainingPoints};t=${seconds}`)
    if (spent) {
      reply.header('retry-after', seconds)
      throw new RateLimited(
        `Rate limit exceeded: the limit is ${perMinute[whose]} requests per minute per ${whose}. Retry in ${seconds} s.`,
      )
    }
  }
}
