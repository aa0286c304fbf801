import { describe, expect, it } from 'vitest'
import { createIds, isObjectId, normalizeObjectId } from './object-id.ts'

function clockAt(...seconds: number[]) {
  let call = 0
  return { now: () => new Date((seconds[Math.min(call++, seconds.length - 1)] ?? 0) * 1000) }
}

describe('object ids (G-04)', () => {
  it('24 hex characters of either case are an id', () => {
    expect(isObjectId('0123456789abcdefABCDEF01')).toBe(true)
  })

  it.each([
    '',
    '0123456789abcdef0123456',
    '0123456789abcdef012345678',
    '0123456789abcdef0123456g',
    '0123456789abcdef01234567\n',
    ' 123456789abcdef01234567',
  ])('%j is not an id', (text) => {
    expect(isObjectId(text)).toBe(false)
  })

  it('ids are stored in lower case', () => {
    expect(normalizeObjectId('0123456789ABCDEFabcdef01')).toBe('0123456789abcdefabcdef01')
  })

  it('new ids are lower-case ids that begin with the second', () => {
    const id = createIds(clockAt(0x66554433)).next()
    expect(id).toMatch(/^66554433[0-9a-f]{16}$/)
    expect(isObjectId(id)).toBe(true)
  })

  it('ids of one source increase strictly while the clock does not move', () => {
    const ids = createIds(clockAt(1_700_000_000))
    const made = Array.from({ length: 5000 }, () => ids.next())
    expect(made).toEqual([...new Set(made)].sort())
  })

  it('ids increase strictly when the clock steps back', () => {
    const ids = createIds(clockAt(1_700_000_000, 1_600_000_000, 1_700_000_001, 0, 1_700_000_001))
    const made = Array.from({ length: 5 }, () => ids.next())
    expect(made).toEqual([...new Set(made)].sort())
  })

  it('a later second sorts after an earlier one of another source', () => {
    const earlier = createIds(clockAt(1_700_000_000))
    const later = createIds(clockAt(1_700_000_001))
    expect(later.next() > earlier.next()).toBe(true)
  })

  it('two sources differ within a second', () => {
    const clock = { now: () => new Date(1_700_000_000_000) }
    expect(createIds(clock).next()).not.toBe(createIds(clock).next())
  })

  it('runs on the system clock when none is given', () => {
    const seconds = Number.parseInt(createIds().next().slice(0, 8), 16)
    expect(Math.abs(seconds - Date.now() / 1000)).toBeLessThan(5)
  })
})
