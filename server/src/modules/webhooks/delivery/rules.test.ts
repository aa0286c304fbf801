import { describe, expect, it } from 'vitest'
import { TIMINGS as timings } from '../../../timings.ts'
import { hasFailedTooLong, nextStep, pausedUntil, retryAfterMs } from './rules.ts'

const now = new Date('2026-05-01T00:00:00Z')
const failed = { status: 500, retryAfterMs: undefined }
const HOUR_MS = 3_600_000

/** Seconds until the next attempt; undefined when there is none. */
function wait(attempt: Parameters<typeof nextStep>[0], tries: number, random = 0.5): number | undefined {
  const step = nextStep(attempt, tries, { now, timings, random })
  return step.state === 'pending' ? (step.dueAt.getTime() - now.getTime()) / 1000 : undefined
}

describe('G-62 what becomes of a delivery', () => {
  it('eight retries with growing pauses over a day and a half, then it is given up', () => {
    const waits = Array.from({ length: 8 }, (_, tries) => wait(failed, tries)!)
    expect(waits).toEqual(waits.toSorted((one, other) => one - other))
    expect(new Set(waits).size).toBe(8)
    const hours = waits.reduce((sum, seconds) => sum + seconds, 0) / 3600
    expect(hours).toBeGreaterThan(36)
    expect(hours).toBeLessThan(40)
    expect(nextStep(failed, 8, { now, timings, random: 0.5 })).toEqual({ state: 'failed', isGone: false })
  })

  it('retries that failed together come apart by a fifth either way', () => {
    expect([wait(failed, 1, 0), wait(failed, 1, 1)]).toEqual([240, 360])
  })

  it.each([200, 201, 202, 204, 299])('%i is delivered', (status) => {
    expect(nextStep({ ...failed, status }, 0, { now, timings, random: 0 })).toEqual({
      state: 'delivered',
      isGone: false,
    })
  })

  it.each([null, 100, 301, 307, 400, 401, 404, 429, 500, 503])('%s is tried again', (status) => {
    expect(nextStep({ ...failed, status }, 0, { now, timings, random: 0 }).state).toBe('pending')
  })

  it('410 is the end at once', () => {
    expect(nextStep({ ...failed, status: 410 }, 0, { now, timings, random: 0 })).toEqual({
      state: 'failed',
      isGone: true,
    })
  })

  it('Retry-After makes a pause longer, never shorter, and a day at most', () => {
    expect(wait({ status: 503, retryAfterMs: 600_000 }, 0)).toBe(600)
    expect(wait({ status: 503, retryAfterMs: 1_000 }, 1)).toBe(300)
    expect(wait({ status: 429, retryAfterMs: 900 * HOUR_MS }, 0)).toBe(24 * 3600)
  })

  it('429 and 503 with Retry-After pause the endpoint, an hour at most; nothing else does', () => {
    const pause = (status: number | null, retryAfterMs: number | undefined) => {
      const until = pausedUntil({ status, retryAfterMs }, { now, timings })
      return until && (until.getTime() - now.getTime()) / 1000
    }
    expect([pause(429, 7_000), pause(503, 7_000), pause(429, 900 * HOUR_MS)]).toEqual([7, 7, 3600])
    expect([pause(429, undefined), pause(429, 0), pause(500, 7_000), pause(null, undefined)]).toEqual(
      Array(4).fill(undefined),
    )
  })

  it('Retry-After is seconds or a date; anything else is ignored', () => {
    expect(retryAfterMs('120', now)).toBe(120_000)
    expect(retryAfterMs(new Date(now.getTime() + 60_000).toUTCString(), now)).toBe(60_000)
    expect(retryAfterMs('Fri, 01 May 2020 00:00:00 GMT', now)).toBe(0)
    for (const text of [undefined, '', 'soon', '-5']) {
      expect(retryAfterMs(text, now) ?? 0).toBe(0)
    }
  })

  it('an endpoint is worn out after five days of failures only', () => {
    expect(hasFailedTooLong(null, { now, timings })).toBe(false)
    expect(hasFailedTooLong(new Date(now.getTime() - 120 * HOUR_MS + 1), { now, timings })).toBe(false)
    expect(hasFailedTooLong(new Date(now.getTime() - 120 * HOUR_MS), { now, timings })).toBe(true)
  })
})
