import { describe, expect, it } from 'vitest'
import { createShelves } from './shelves.ts'

const MB = 1024 ** 2
const KB_100 = 100 * 1024

describe('shelves', () => {
  it('an owner that fills its own pushes none of the others out', () => {
    const shelves = createShelves<object>(8 * MB)
    for (let owner = 0; owner < 60; owner++) shelves.set(`shop ${owner}`, '/products', {}, KB_100)
    for (let n = 0; n < 1000; n++) shelves.set('greedy', `/products?page=${n}`, {}, KB_100)
    const left = Array.from({ length: 60 }, (_, owner) => shelves.get(`shop ${owner}`, '/products'))
    expect(left.filter((value) => value !== undefined)).toHaveLength(60)
  })

  it('what an owner used last stays within its eighth', () => {
    const shelves = createShelves<object>(8 * MB)
    for (let n = 0; n < 100; n++) {
      shelves.set('shop', `${n}`, {}, KB_100)
      expect(shelves.get('shop', '0')).toBeDefined()
    }
    const kept = Array.from({ length: 100 }, (_, n) => shelves.get('shop', `${n}`)).filter(Boolean)
    expect(kept.length).toBeGreaterThan(7)
    expect(kept.length).toBeLessThanOrEqual(10)
  })

  it('all together take no more than they may: the shelf not used for longest goes', () => {
    const shelves = createShelves<object>(8 * MB)
    for (let owner = 0; owner < 1000; owner++) shelves.set(`${owner}`, 'a', {}, KB_100)
    const kept = Array.from({ length: 1000 }, (_, owner) => owner).filter((owner) =>
      shelves.get(`${owner}`, 'a'),
    )
    expect(kept.length).toBeGreaterThan(70)
    expect(kept.length).toBeLessThanOrEqual(80)
    expect(kept.at(-1)).toBe(999)
  })

  it('keeps nothing larger than an owner may have', () => {
    const shelves = createShelves<object>(8 * MB)
    shelves.set('shop', 'small', {}, KB_100)
    shelves.set('shop', 'large', {}, MB)
    expect(shelves.get('shop', 'large')).toBeUndefined()
    expect(shelves.get('shop', 'small')).toBeDefined()
  })
})
