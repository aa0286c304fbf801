import { describe, expect, it } from 'vitest'
import { endOfClaim, requestHash } from './rules.ts'

const hashOf = (body: unknown, path = '/a', method = 'POST') =>
  requestHash({ method, path, body }).toString('hex')

describe('G-10 which requests are the same', () => {
  it('whatever the order of fields, at every depth', () => {
    expect(hashOf({ a: 1, b: { c: [1, { d: 2, e: 3 }], 10: 0, 9: 0 } })).toBe(
      hashOf({ b: { 9: 0, 10: 0, c: [1, { e: 3, d: 2 }] }, a: 1 }),
    )
  })

  it.each([
    [{ a: [1, 2] }, { a: [2, 1] }],
    [{ a: 1 }, { a: '1' }],
    [{ a: null }, {}],
    [{ a: {} }, { a: [] }],
    [{}, undefined],
  ])('%j and %j are two', (one, other) => {
    expect(hashOf(one)).not.toBe(hashOf(other))
  })

  it('another path or method is another request', () => {
    expect(new Set([hashOf({}), hashOf({}, '/b'), hashOf({}, '/a', 'PUT')]).size).toBe(3)
  })
})

describe('G-10 what becomes of a key', () => {
  const first = { isTakenOver: false, isVoid: false }

  it.each([200, 201, 202, 404, 409, 413, 422])('%i is stored', (status) => {
    expect(endOfClaim(status, first, 0)).toBe('store')
    expect(endOfClaim(status, { ...first, isTakenOver: true }, 0)).toBe('store')
  })

  it.each([400, 401, 429])('%i frees the key, after a takeover only its lease', (status) => {
    expect(endOfClaim(status, first, 0)).toBe('delete')
    expect(endOfClaim(status, { ...first, isTakenOver: true }, 0)).toBe('release')
    expect(endOfClaim(status, { isTakenOver: true, isVoid: true }, 0)).toBe('delete')
  })

  it.each([500, 503])(
    '%i ends the lease and keeps the id; where surely nothing left, it frees the key',
    (status) => {
      expect(endOfClaim(status, first, 0)).toBe('release')
      expect(endOfClaim(status, { ...first, isVoid: true }, 0)).toBe('delete')
    },
  )
})
