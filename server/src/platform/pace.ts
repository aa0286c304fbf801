import { TIMINGS } from '../timings.ts'
import type { Platform } from './types.ts'

export type Pace = {
  /** Wraps a platform so that every send is counted. Sends never wait here: only callers of `allow` are paced. */
  wrap(platform: Platform): Platform
  /** How many sends may go out now, at most `want`; 0 when the allowance is used up for the moment. */
  allow(want: number): Promise<number>
  /** Deducts the sends that did not ask from the allowance that all processes share. To be called about once a second. */
  payDebt(): Promise<void>
}

/**
 * This process's share of the platform's allowance of sends per minute. `take` draws from the allowance that all
 * processes share and is asked for at least `groupSize`. Sends that did not ask add to a debt, which the next `take`
 * pays. Only the shared allowance grows with time: a debt that shrank here meanwhile would spend the same growth once
 * more in each process. So that an idle period does not build up a debt that the allowance has long regrown, a debt is
 * paid within about a second (`payDebt`), also while nobody asks. It is limited to one minute's sends, the most that
 * the shared allowance can owe. `ratePerMinute` 0 switches pacing off.
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
  // Unused permits. Negative: the debt, which is the number of sends made without a permit.
  let allowance = 0
  let drawnAt = now()

  function expirePermits(): void {
    if (allowance > 0 && now() - drawnAt > keptMs) allowance = 0
  }

  function addDebt(count: number): void {
    allowance = Math.max(allowance - count, -ratePerMinute)
  }

  function count(): void {
    if (ratePerMinute === 0) return
    expirePermits()
    addDebt(1)
  }

  async function draw(want: number): Promise<void> {
    const debt = Math.max(0, -allowance)
    // Nobody else pays this debt; sends made while `take` runs are a new one.
    allowance += debt
    try {
      const taken = await options.take({ want, debt, ratePerMinute })
      allowance += taken
    } catch (error) {
      addDebt(debt)
      throw error
    }
    drawnAt = now()
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
      expirePermits()
      if (allowance < want) await draw(Math.max(want, groupSize) - Math.max(0, allowance))
      return Math.max(0, Math.min(want, allowance))
    },
    async payDebt() {
      if (allowance < 0) await draw(0)
    },
  }
}
