import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterResponse, ageOf, DEVICE_TIME, serviceTimeAt } from '../src/api/service-time.ts'

const START = Date.parse('2026-11-26T03:00:00Z')
const YEAR_MS = 365 * 86_400_000
/** How far a device's clock is off, and for how long a request is on its way, in ms. */
const offBy = fc.integer({ min: -60 * YEAR_MS, max: 60 * YEAR_MS })
const onItsWay = fc.integer({ min: 0, max: 20_000 })
const wait = fc.integer({ min: 0, max: 7 * 86_400_000 })

/** A response at a moment, to a device whose clock is off. `Date` states whole seconds. */
const responseAt = (trueMs: number, off: number, tookMs: number) => ({
  sentMs: trueMs - tookMs + off,
  receivedMs: trueMs + off,
  datedMs: Math.floor((trueMs - tookMs / 2) / 1_000) * 1_000,
})

describe('the age of a sale that waited', () => {
  it('is right to a second of the service’s and the way of the responses, however wrong the clock was at the sale and is at the sending', () => {
    fc.assert(
      fc.property(offBy, offBy, onItsWay, wait, wait, (sold, sent, tookMs, beforeSale, waitedMs) => {
        const atStart = afterResponse(DEVICE_TIME, responseAt(START, sold, tookMs))
        const soldMs = START + beforeSale
        const soldAt = serviceTimeAt(atStart, soldMs + sold)
        const backMs = soldMs + waitedMs
        const back = afterResponse(atStart, responseAt(backMs, sent, tookMs))
        const age = ageOf(soldAt, serviceTimeAt(back, backMs + sent))
        expect(Math.abs(age * 1_000 - waitedMs)).toBeLessThanOrEqual(2 * tookMs + 3_000)
      }),
    )
  })

  it('is exact while a clock stays as it is, however slow responses are', () => {
    const responses = fc.array(fc.tuple(wait, onItsWay), { maxLength: 20 })
    fc.assert(
      fc.property(responses, fc.integer({ min: 0, max: 86_400_000 }), (all, waitedMs) => {
        let [known, now] = [DEVICE_TIME, START]
        for (const [later, tookMs] of all) {
          now += later
          known = afterResponse(known, responseAt(now, 0, tookMs))
        }
        expect(known.offsetMs).toBe(0)
        expect(ageOf(serviceTimeAt(known, now), now + waitedMs)).toBe(waitedMs / 1_000)
      }),
    )
  })

  it('is not before the last response, if the clock is put back without one', () => {
    fc.assert(
      fc.property(
        fc.nat(999),
        fc.integer({ min: 1_000, max: 60 * YEAR_MS }),
        wait,
        (ms, putBack, waitedMs) => {
          // What happened with the response, such as the opening of a shift, may have been in any part of its second.
          const openedMs = START + ms
          const known = afterResponse(DEVICE_TIME, responseAt(openedMs, 0, 0))
          const soldAt = serviceTimeAt(known, openedMs - putBack)
          const sentMs = openedMs + waitedMs
          expect(sentMs - ageOf(soldAt, sentMs) * 1_000).toBeGreaterThanOrEqual(openedMs)
        },
      ),
    )
  })

  it('is one that the service accepts, whatever two clocks said', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), fc.nat(1_000_000), (soldAt, now, scale) => {
        const age = ageOf(soldAt * scale, now * scale)
        expect(age).toBeGreaterThanOrEqual(0)
        expect(age).toBeLessThanOrEqual(999_999_999)
        expect(String(age)).toMatch(/^\d+(\.\d{1,3})?$/)
      }),
    )
  })
})
