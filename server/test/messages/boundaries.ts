import { nextMidnight, nextMorning } from '../../src/lib/time/vietnam-time.ts'
import { TIMINGS } from '../../src/timings.ts'

const LONGEST_TEST_MS = 60_000

/**
 * Whether midnight or 06:00 in Vietnam has just passed, or passes during a test: then a refusal until that hour is tried again
 * within minutes instead of on the next day, so a test that expects the next day is skipped.
 */
export function isAround(hour: 'midnight' | 'morning'): boolean {
  const next = hour === 'midnight' ? nextMidnight : nextMorning
  const now = Date.now()
  return next(new Date(now - TIMINGS.platformClockSlackMs)).getTime() <= now + LONGEST_TEST_MS
}
