import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/** Too many requests: 429 `{error}` (G-02). */
export class RateLimited extends Error {}

/**
 * Counts each authenticated request to its shop's budget and tells it in `RateLimit-Policy`, `RateLimit`
 * and, when spent, `Retry-After` (G-07). In memory: no round trip.
 * @throws RateLimited
 */
export function buildRateLimit(perMinute: number) {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  const policy = `"shop";q=${perMinute};w=60`

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    let result: RateLimiterRes
    let spent = false
    try {
      result = await limiter.consume(request.shop.id)
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      result = error
      spent = true
    }
    const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000))
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"shop";r=${result.remainingPoints};t=${seconds}`)
    if (spent) {
      reply.header('retry-after', seconds)
      throw new RateLimited(
        `Rate limit exceeded: the limit is ${perMinute} requests per minute per shop. Retry in ${seconds} s.`,
      )
    }
  }
}
