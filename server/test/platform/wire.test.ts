import { describe, expect, it } from 'vitest'
import { asNumber, asTime, asVnd, parseWireJson } from '../../src/platform/chatapp/wire.ts'

describe('reading the platform’s values', () => {
  it.each([
    [1772334000000, '2026-03-01T03:00:00.000Z'],
    ['1772334000000', '2026-03-01T03:00:00.000Z'],
    ['1772334000', '2026-03-01T03:00:00.000Z'],
    ['2026-03-01T03:00:00Z', '2026-03-01T03:00:00.000Z'],
    ['10:00:00 01/03/2026', '2026-03-01T03:00:00.000Z'],
    ['9:05 01/03/2026', '2026-03-01T02:05:00.000Z'],
    ['2026-03-01 10:00:00', '2026-03-01T03:00:00.000Z'],
  ])('the time %s is %s', (value, expected) => {
    expect(asTime(value)?.toISOString()).toBe(expected)
  })

  it.each([['0'], [''], ['soon'], [null], [{}], ['10:00 41/13/2026'], ['9'.repeat(30)]])(
    '%s is no time',
    (value) => {
      expect(asTime(value)).toBeUndefined()
    },
  )

  it('only integers a double cannot hold become text', () => {
    expect(parseWireJson('{"a":9007199254740993,"b":9007199254740991,"c":0.5,"d":"x"}')).toEqual({
      a: '9007199254740993',
      b: 9007199254740991,
      c: 0.5,
      d: 'x',
    })
  })

  it('money is whole đồng, and never negative or made of nothing', () => {
    expect([asVnd('300'), asVnd(300.4), asVnd('0')]).toEqual([300, 300, 0])
    expect([asVnd(''), asVnd(null), asVnd(-1), asVnd('x')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(asNumber(' -118 ')).toBe(-118)
  })
})
