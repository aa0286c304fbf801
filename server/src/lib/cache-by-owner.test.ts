import { describe, expect, it } from 'vitest'
import { createCacheByOwner } from './cache-by-owner.ts'

const MB = 1024 ** 2
const KB_100 = 100 * 1024

describe('cache by owner', () => {
  it('an owner that fills its own pushes none of the others out', () => {
    const cache = createCacheByOwner<object>(8 * MB)
    for (let owner = 0; owner < 60; owner++) cache.set(`shop ${owner}`, '/products', {}, KB_100)
    for (let n = 0; n < 1000; n++) cache.set('greedy', `/products?page=${n}`, {}, KB_100)
    const left = Array.from({ length: 60 }, (_, owner) => cache.get(`shop ${owner}`, '/products'))
    expect(left.filter((value) => value !== undefined)).toHaveLength(60)
  })

  it('what an owner used last stays within its eighth', () => {
    const cache = createCacheByOwner<object>(8 * MB)
    for (let n = 0; n < 100; n++) {
      cache.set('shop', `${n}`, {}, KB_100)
      expect(cache.get('shop', '0')).toBeDefined()
    }
    const kept = Array.from({ length: 100 }, (_, n) => cache.get('shop', `${n}`)).filter(Boolean)
    expect(kept.length).toBeGreaterThan(7)
    expect(kept.length).toBeLessThanOrEqual(10)
  })

  it('all together stay within the limit: the owner not used for longest is dropped', () => {
    const cache = createCacheByOwner<object>(8 * MB)
    for (let owner = 0; owner < 1000; owner++) cache.set(`${owner}`, 'a', {}, KB_100)
    const kept = Array.from({ length: 1000 }, (_, owner) => owner).filter((owner) =>
      cache.get(`${owner}`, 'a'),
    )
    expect(kept.length).toBeGreaterThan(70)
    expect(kept.length).toBeLessThanOrEqual(80)
    expect(kept.at(-1)).toBe(999)
  })

  it('all together stay within the limit also when the owners had few values at first', () => {
    const cache = createCacheByOwner<object>(8 * MB)
    for (let n = 0; n < 8; n++)
      for (let owner = 0; owner < 60; owner++) cache.set(`${owner}`, `${n}`, {}, KB_100)
    const kept = Array.from({ length: 60 * 8 }, (_, at) => cache.get(`${at % 60}`, `${Math.floor(at / 60)}`))
    expect(kept.filter(Boolean).length).toBeLessThanOrEqual(80)
  })

  it('keeps nothing larger than an owner may have', () => {
    const cache = createCacheByOwner<object>(8 * MB)
    cache.set('shop', 'small', {}, KB_100)
    cache.set('shop', 'large', {}, MB)
    expect(cache.get('shop', 'large')).toBeUndefined()
    expect(cache.get('shop', 'small')).toBeDefined()
  })
})
