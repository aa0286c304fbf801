import type { Clock } from '../lib/time/clock.ts'

/** The database's time as this process estimates it from readings. */
export type DatabaseClock = Clock & {
  /** Takes a reading: `databaseNow` was read between the instants `fromMs` and `toMs` of `performance.now()`. */
  note(databaseNow: Date, fromMs: number, toMs: number): void
}

/**
 * A clock that follows the database's, so several processes agree on the time however wrong their machines' clocks are
 * (decision 0021). Between readings it follows the monotonic clock, so it does not depend on the machine's clock being
 * set. A reading corrects it only if the two differ by more than the uncertainty of the reading, so it does not jitter.
 * Before the first reading it returns the time of `own`.
 */
export function createDatabaseClock(own: Clock): DatabaseClock {
  let zeroMs: number | undefined
  return {
    now: () => (zeroMs === undefined ? own.now() : new Date(zeroMs + performance.now())),
    note(databaseNow, fromMs, toMs) {
      const readMs = databaseNow.getTime() - (fromMs + toMs) / 2
      // The database's instants are in whole milliseconds.
      const uncertainMs = (toMs - fromMs) / 2 + 1
      if (zeroMs === undefined || Math.abs(readMs - zeroMs) > uncertainMs) zeroMs = readMs
    },
  }
}
