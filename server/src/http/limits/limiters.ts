import { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Log } from '../../lib/log.ts'
import { within } from '../../lib/time/within.ts'

export type Limiter = {
  /**
   * Counts one request or attempt of `key`.
   * @throws RateLimiterRes when the minute's limit is exceeded.
   */
  consume(key: string): Promise<RateLimiterRes>
  /** Takes back the last count of `key`. */
  giveBack(key: string): Promise<void>
}

export type Limiters = {
  /**
   * Returns a limiter with its own counts: each key has `points` a minute. Refusals are counted under `label` (default:
   * `name`).
   */
  perMinute(name: string, points: number, label?: string): Limiter
  /**
   * The refusals of each limiter in this process, and whether Redis is unavailable, so each process counts for itself.
   */
  state(): { refused: ReadonlyMap<string, number>; isRedisAway: boolean }
  close(): void
}

// Redis answers within a millisecond; after this time it counts as unavailable.
const ANSWER_WITHIN_MS = 250
const CONNECT_WITHIN_MS = 2_000
const LONGEST_RETRY_MS = 5_000
/** When more keys than this are tracked, the keys whose minute is over are dropped. */
const WINDOWS = 10_000

/** Limiters in this process's memory: no round trip, and each process has its own budgets. */
export function memoryLimiters(): Limiters {
  const refused = new Map<string, number>()
  return {
    perMinute: (name, points, label = name) => countingRefusals(label, inMemory(points), refused),
    state: () => ({ refused, isRedisAway: false }),
    close() {},
  }
}

/**
 * Limiters that all processes on one Redis share; each request costs one round trip to Redis. While Redis is
 * unavailable, each of the `processes` counts its share of the points in its own memory, including what it let through
 * earlier in the same minute. No request then fails or waits for Redis, except for the 250 ms after which a silent
 * Redis counts as unavailable. Exhausted keys are cached, so a flood of requests does not reach Redis.
 */
export function sharedLimiters(
  url: string,
  prefix: string,
  log: Log,
  processes: () => number = () => 1,
): Limiters {
  const redis = new Redis(url, {
    connectTimeout: CONNECT_WITHIN_MS,
    // This limit also applies to ioredis's own commands on a new connection. Without it they would wait forever on a
    // network that drops packets.
    commandTimeout: CONNECT_WITHIN_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 200, LONGEST_RETRY_MS),
  })
  let isAway = false
  const refused = new Map<string, number>()
  redis.on('ready', () => {
    if (isAway) log.info('Redis is back: the rate limit is shared again')
    isAway = false
  })
  redis.on('error', (error) => {
    if (!isAway)
      log.warn({ err: error }, 'Redis cannot be reached: each process counts its share of the rate limit')
    isAway = true
  })
  return {
    perMinute(name, points, label = name) {
      const shared = new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `${prefix}:${name}`,
        points,
        duration: 60,
        rejectIfRedisNotReady: true,
        // Not at the last point that is allowed: it may be taken back.
        inMemoryBlockOnConsumed: points + 1,
      })
      const own = countPasses()
      const limiter: Limiter = {
        async consume(key) {
          try {
            // ioredis's own `commandTimeout` would count a moment in which this process stood still.
            const answer = await within(ANSWER_WITHIN_MS, shared.consume(key))
            if (answer === undefined) throw new Error(`Redis did not respond within ${ANSWER_WITHIN_MS} ms`)
            own.note(key, answer.found.msBeforeNext)
            return answer.found
          } catch (error) {
            if (error instanceof RateLimiterRes) throw error
            // A silent connection stays open: without this every request would wait again.
            if (redis.status === 'ready') redis.disconnect(true)
            return own.within(key, Math.max(1, Math.floor(points / processes())))
          }
        },
        async giveBack(key) {
          own.takeBack(key)
          // While Redis is unavailable, only this process's count is taken back.
          await within(ANSWER_WITHIN_MS, shared.reward(key)).catch(() => {})
        },
      }
      return countingRefusals(label, limiter, refused)
    },
    state: () => ({ refused, isRedisAway: isAway }),
    close: () => redis.disconnect(),
  }
}

/**
 * Counts what this process lets through in the window that Redis counts for all processes. If Redis becomes unavailable
 * within a window, these requests count towards the process's own share.
 */
function countPasses() {
  const windows = new Map<string, { count: number; untilMs: number }>()

  function windowOf(key: string, leftMs: number) {
    const now = performance.now()
    const known = windows.get(key)
    if (known !== undefined && known.untilMs > now) return known
    if (windows.size >= WINDOWS)
      for (const [old, { untilMs }] of windows) if (untilMs <= now) windows.delete(old)
    const fresh = { count: 0, untilMs: now + leftMs }
    windows.set(key, fresh)
    return fresh
  }

  return {
    note(key: string, leftMs: number): void {
      windowOf(key, leftMs).count += 1
    },
    takeBack(key: string): void {
      const known = windows.get(key)
      if (known !== undefined && known.count > 0) known.count -= 1
    },
    /**
     * Counts one request of `key`.
     * @throws RateLimiterRes when the window already has `share` requests.
     */
    within(key: string, share: number): RateLimiterRes {
      const window = windowOf(key, 60_000)
      const leftMs = Math.round(window.untilMs - performance.now())
      if (window.count >= share) throw new RateLimiterRes(0, leftMs, window.count, false)
      window.count += 1
      return new RateLimiterRes(share - window.count, leftMs, window.count, window.count === 1)
    },
  }
}

function countingRefusals(name: string, limiter: Limiter, refused: Map<string, number>): Limiter {
  return {
    ...limiter,
    async consume(key) {
      try {
        return await limiter.consume(key)
      } catch (error) {
        if (error instanceof RateLimiterRes) refused.set(name, (refused.get(name) ?? 0) + 1)
        throw error
      }
    },
  }
}

function inMemory(points: number): Limiter {
  const limiter = new RateLimiterMemory({ points, duration: 60 })
  return {
    consume: (key) => limiter.consume(key),
    async giveBack(key) {
      await limiter.reward(key)
    },
  }
}
