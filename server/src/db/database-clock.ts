import type { Clock } from '../lib/time/clock.ts'

/** The database's time as this process knows it, corrected by readings. */
export type DatabaseClock = Clock & {
  /** `databaseNow` was read between the instants `fromMs` and `toMs` of `performance.now()`. */
  note(databaseNow: Date, fromMs: number, toMs: number): void
}

/**
 * A clock that follows the database's, so that several processes agree on it however wrong their machines' clocks are
 * (decision 0021). Between two readings it follows the monotonic clock, so that setting the machine's clock does not
 * matter. A reading changes it only if both cannot be right, given how long the reading took, so that it does not
 * jitter. Before the first reading it is `own`.
 */
export function createDatabaseClock(own: Clock): DatabaseClock {
  let zeroMs: number | undefined
  return {
    now: () => (zeroMs === undefined ? own.now() : new Date(zeroMs + performance.now())),
    note(databaseNow, fromMs, toMs) {
      const readMs = databaseNow.getTime() - (fromMs + toMs) / 2
      // Its instants are whole milliseconds.
      const uncertainMs = (toMs - fromMs) / 2 + 1
      if (zeroMs === undefined || Math.abs(readMs - zeroMs) > uncertainMs) zeroMs = readMs
    },
  }
}
