import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VIETNAM_OFFSET_MS } from '../lib/time/vietnam-time.ts'
import { orderMoments } from './moments.ts'

const DAY_MS = 86_400_000

describe('the moments of the demo’s orders', () => {
  it('as many as asked for, in order, within the days, none in the future, all while the shop is open', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }),
        (now) => {
          const moments = orderMoments(now, 300, 60).map((moment) => moment.getTime())
          expect(moments).toHaveLength(300)
          expect(moments).toEqual([...moments].sort((a, b) => a - b))
          expect(moments.at(-1)).toBeLessThanOrEqual(now.getTime())
          expect(moments[0]).toBeGreaterThan(now.getTime() - 60 * DAY_MS)
          for (const moment of moments) {
            const hour = ((moment + VIETNAM_OFFSET_MS) % DAY_MS) / 3_600_000
            expect(hour).toBeGreaterThanOrEqual(8)
            expect(hour).toBeLessThanOrEqual(21.5)
          }
        },
      ),
    )
  })
})
