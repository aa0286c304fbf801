import { describe, expect, it } from 'vitest'
import { isNight, isSameDay } from './vietnam-time.ts'

const at = (instant: string) => new Date(instant)

describe('Vietnam’s time', () => {
  it.each([
    ['2026-05-01T14:59:59Z', false],
    ['2026-05-01T15:00:00Z', true],
    ['2026-05-01T22:59:59Z', true],
    ['2026-05-01T23:00:00Z', false],
  ])('G-27 the night window is from 22:00 to 06:00: %s', (instant, expected) => {
    expect(isNight(at(instant))).toBe(expected)
  })

  it('a day begins at its midnight, not at UTC’s', () => {
    expect(isSameDay(at('2026-05-01T17:00:00Z'), at('2026-05-02T16:59:59Z'))).toBe(true)
    expect(isSameDay(at('2026-05-01T16:59:59Z'), at('2026-05-01T17:00:00Z'))).toBe(false)
  })
})
