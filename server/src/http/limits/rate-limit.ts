import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterRes } from 'rate-limiter-flexible'
import type { Limiter, Limiters } from './limiters.ts'

/** Too many requests: 429 `{error}` (G-02). */
export class RateLimited extends Error {}

/**
 * Counts one for `key`. `says` names what there was too much of.
 * @throws RateLimited, with `Retry-After`, when the minute's limit is exceeded.
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

const DOCUMENTS_PER_MINUTE = 120

/** onRequest of the documentation, which anyone may read: counts against the caller's address. @throws RateLimited */
export function buildReaderLimit(limiters: Limiters) {
  const documents = limiters.perMinute('documents', DOCUMENTS_PER_MINUTE)
  return ({ ip }: FastifyRequest, reply: FastifyReply) =>
    countOne(documents, ip, reply, 'Too many requests for the documentation')
}

/** What a request was counted against. `says` describes the limit in the error when it is exceeded. */
type Counted = { name: string; perMinute: number; result: RateLimiterRes; isSpent: boolean; says: string }

/**
 * `limitCaller` counts each authenticated request of the external API against the shop's limit, or against the member's own limit if a session
 * authenticated the request. A key may have a share of its shop's limit: its requests are counted against the share
 * first, and a request that the share refuses does not count against the shop. All limits that were counted are
 * reported in `RateLimit-Policy`, `RateLimit` and, when one is exceeded, `Retry-After` (G-07). Makes no round trip to
 * the database. `limitMember` counts a request of the management API by a session against the same limit of the member;
 * the operator's token has none.
 * @throws RateLimited
 */
export function buildRateLimit(limiters: Limiters, perMinute: { shop: number; member: number }) {
  const budgets = {
    shop: limiters.perMinute('shop', perMinute.shop),
    member: limiters.perMinute('member', perMinute.member),
  }
  /** Keyed by the share's size. */
  const shares = new Map<number, Limiter>()

  function shareOf(size: number): Limiter {
    const share = shares.get(size) ?? limiters.perMinute(`key-${size}`, size, 'key')
    shares.set(size, share)
    return share
  }

  function countAgainst(whose: 'shop' | 'member', id: string): Promise<Counted> {
    const says = `the limit is ${perMinute[whose]} requests per minute per ${whose}`
    return count(budgets[whose], id, { name: whose, perMinute: perMinute[whose], says })
  }

  async function limitCaller(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { id: shopId, keyId, maxPerMinute } = request.shop
    const { memberId } = request
    const counted: Counted[] = []
    if (keyId !== undefined && maxPerMinute != null) {
      const says = `this key may use ${maxPerMinute} of its shop's requests per minute`
      counted.push(await count(shareOf(maxPerMinute), keyId, { name: 'key', perMinute: maxPerMinute, says }))
    }
    if (counted[0]?.isSpent !== true) {
      counted.unshift(
        await (memberId === undefined ? countAgainst('shop', shopId) : countAgainst('member', memberId)),
      )
    }
    report(counted, reply)
  }

  return {
    limitCaller,
    async limitMember({ memberId }: FastifyRequest, reply: FastifyReply): Promise<void> {
      if (memberId !== undefined) report([await countAgainst('member', memberId)], reply)
    },
  }
}

/** Writes the headers of what was counted. @throws RateLimited if a limit is exceeded. */
function report(counted: Counted[], reply: FastifyReply): void {
  const spent = counted.find(({ isSpent }) => isSpent)
  const list = (each: (one: Counted) => string) => counted.map(each).join(', ')
  reply.header(
    'ratelimit-policy',
    list((one) => `"${one.name}";q=${one.perMinute};w=60`),
  )
  reply.header(
    'ratelimit',
    list((one) => `"${one.name}";r=${one.result.remainingPoints};t=${secondsOf(one.result)}`),
  )
  if (spent === undefined) return
  const seconds = secondsOf(spent.result)
  reply.header('retry-after', seconds)
  throw new RateLimited(`Rate limit exceeded: ${spent.says}. Retry in ${seconds} s.`)
}

async function count(
  limiter: Limiter,
  key: string,
  budget: Pick<Counted, 'name' | 'perMinute' | 'says'>,
): Promise<Counted> {
  try {
    return { ...budget, result: await limiter.consume(key), isSpent: false }
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    return { ...budget, result: error, isSpent: true }
  }
}

function secondsOf({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000))
}
