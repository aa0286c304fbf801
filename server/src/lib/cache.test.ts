import { describe, expect, it } from 'vitest'
import { createCache } from './cache.ts'

/** A cache for at most two values and 5 s, with its clock, and a source that counts how often it is read. */
function counted() {
  const at = { ms: 1_000 }
  const cache = createCache<{ n: number }>({ max: 2, keptMs: 5_000, now: () => at.ms })
  const source = { n: 0 }
  const read = async () => {
    source.n += 1
    return { n: source.n }
  }
  return { at, cache, source, read }
}

describe('a cache', () => {
  it('reads once in its time, counted from the reading’s begin', async () => {
    const { at, cache, read } = counted()
    const slow = async () => {
      at.ms += 2_000
      return read()
    }
    expect(await cache.get('a', slow)).toEqual({ n: 1 })
    at.ms = 6_000
    expect(await cache.get('a', read)).toEqual({ n: 1 })
    at.ms = 6_001
    expect(await cache.get('a', read)).toEqual({ n: 2 })
  })

  it('callers at the same time share a reading, and its error, which is not kept', async () => {
    const { cache, source, read } = counted()
    expect(await Promise.all([cache.get('a', read), cache.get('a', read)])).toEqual([{ n: 1 }, { n: 1 }])
    const fail = async () => {
      source.n += 1
      throw new Error('away')
    }
    const both = await Promise.allSettled([cache.get('b', fail), cache.get('b', fail)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(source.n).toBe(2)
    expect(await cache.get('b', read)).toEqual({ n: 3 })
  })

  it('a fresh reading replaces what is kept, also by nothing', async () => {
    const { cache, read } = counted()
    await cache.get('a', read)
    expect(await cache.get('a', read, true)).toEqual({ n: 2 })
    expect(await cache.get('a', read)).toEqual({ n: 2 })
    expect(await cache.get('a', async () => undefined, true)).toBeUndefined()
    expect(await cache.get('a', read)).toEqual({ n: 3 })
  })

  it('keeps nothing that was read while something was forgotten', async () => {
    const { cache, read } = counted()
    await cache.get('a', read)
    let answer = (_value: { n: number }) => {}
    const late = cache.get('b', () => new Promise((resolve) => (answer = resolve)))
    cache.forget((_value, name) => name === 'a')
    answer({ n: 9 })
    expect(await late).toEqual({ n: 9 })
    expect(await cache.get('b', read)).toEqual({ n: 2 })
    expect(await cache.get('a', read)).toEqual({ n: 3 })
  })

  it('drops the entry not used for longest', async () => {
    const { cache, read } = counted()
    await cache.get('a', read)
    await cache.get('b', read)
    await cache.get('a', read)
    await cache.get('c', read)
    expect(await cache.get('a', read)).toEqual({ n: 1 })
    expect(await cache.get('b', read)).toEqual({ n: 4 })
  })
})
