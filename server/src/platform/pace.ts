import { TIMINGS } from '../timings.ts'
import type { Platform } from './types.ts'

export type Pace = {
  /** Wraps a platform so that every send is counted. Sends never wait here: only callers of `take` are paced. */
  wrap(platform: Platform): Platform
  /** How many sends may go out now, at most `want`; 0 when the allowance is used up for the moment. */
  allow(want: number): Promise<number>
}

/**
 * This process's share of the platform's allowance of sends per minute. `take` draws from the allowance that all
 * processes share and is asked for at least `groupSize`. Sends that did not ask add to a debt, which the next `take`
 * pays; a debt shrinks at the rate at which the allowance grows. `ratePerMinute` 0 switches pacing off.
 */
export function createPace(options: {
  ratePerMinute: number
  groupSize?: number
  /** Unused permits expire after this time, so that a pause does not build up a burst. */
  keptMs?: number
  take(amount: { want: number; debt: number; ratePerMinute: number }): Promise<number>
  now?: () => number
}): Pace {
  const { ratePerMinute, groupSize = 32, keptMs = TIMINGS.paceKeptMs } = options
  const now = options.now ?? Date.now
  // Unused permits. Negative: sends made without a permit.
  let allowance = 0
  let changedAt = now()

  function updateAllowance(): void {
    const elapsedMs = now() - changedAt
    if (allowance > 0 && elapsedMs > keptMs) allowance = 0
    if (allowance < 0) allowance = Math.min(0, allowance + (elapsedMs * ratePerMinute) / 60_000)
    if (allowance <= 0) changedAt = now()
  }

  function count(): void {
    if (ratePerMinute === 0) return
    updateAllowance()
    allowance -= 1
  }

  return {
    wrap: (platform) => ({
      ...platform,
      sendToPhone(oa, message) {
        count()
        return platform.sendToPhone(oa, message)
      },
      sendToUid(oa, message) {
        count()
        return platform.sendToUid(oa, message)
      },
    }),
    async allow(want) {
      if (ratePerMinute === 0) return want
      updateAllowance()
      if (allowance < want) {
        const debt = Math.max(0, Math.ceil(-allowance))
        const held = Math.max(0, Math.floor(allowance))
        const taken = await options.take({ want: Math.max(want, groupSize) - held, debt, ratePerMinute })
        // Sends made meanwhile have been counted, so the allowance is read only now.
        allowance += debt + taken
        changedAt = now()
      }
      return Math.max(0, Math.min(want, Math.floor(allowance)))
    },
  }
}
