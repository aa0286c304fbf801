import { describe, expect, it } from 'vitest'
import { createDatabaseClock } from './database-clock.ts'

const hourAhead = { now: () => new Date(Date.now() + 3_600_000) }
const offBy = (clock: { now(): Date }) => Math.abs(clock.now().getTime() - Date.now())
const read = (clock: ReturnType<typeof createDatabaseClock>, shiftMs: number, tookMs: number) => {
  const now = performance.now()
  clock.note(new Date(Date.now() + shiftMs), now - tookMs / 2, now + tookMs / 2)
}

describe('a clock that follows the database', () => {
  it('is the process’s own before the first reading, then the database’s', () => {
    const clock = createDatabaseClock(hourAhead)
    expect(offBy(clock)).toBeGreaterThan(3_500_000)
    read(clock, 0, 2)
    expect(offBy(clock)).toBeLessThan(100)
  })

  it('a slow reading that may be right changes nothing, one that cannot be does', () => {
    const clock = createDatabaseClock(hourAhead)
    read(clock, 0, 2)
    read(clock, 900, 2_000)
    expect(offBy(clock)).toBeLessThan(100)
    read(clock, 60_000, 2)
    expect(offBy(clock)).toBeGreaterThan(59_000)
  })
})
