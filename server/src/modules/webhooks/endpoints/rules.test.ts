import { describe, expect, it } from 'vitest'
import { newSecret, normalizedEvents } from './rules.ts'

describe('G-62 an endpoint', () => {
  it('a secret is 32 bytes of its own; the types are each named once', () => {
    expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(newSecret()).not.toBe(newSecret())
    expect(normalizedEvents(['wallet.low', 'wallet.low'])).toEqual(['wallet.low'])
    expect(normalizedEvents(['wallet.low', '*'])).toEqual(['*'])
  })
})
