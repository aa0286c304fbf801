import { LRUCache } from 'lru-cache'

export type Cache<V> = {
  /**
   * The cached value of this name, or else the result of `read`, which concurrent callers share. `undefined` is not
   * cached. With `isFresh` the value is always read.
   * @throws what `read` throws.
   */
  get(name: string, read: () => Promise<V | undefined>, isFresh?: boolean): Promise<V | undefined>
  /**
   * Drops the cached values that `isMeant` selects. Values that are being read at that moment may be outdated, so they
   * are not cached.
   */
  forget(isMeant: (value: V, name: string) => boolean): void
}

/**
 * Caches values for `keptMs`, counted from the start of the read. When there are more than `max` values, the least
 * recently used are dropped.
 */
export function createCache<V extends object>({
  max,
  keptMs,
  now = () => performance.now(),
}: {
  max: number
  keptMs: number
  now?: () => number
}): Cache<V> {
  const kept = new LRUCache<string, V>({ max, ttl: keptMs, ttlResolution: 0, perf: { now } })
  const reading = new Map<string, Promise<V | undefined>>()
  return {
    async get(name, read, isFresh = false) {
      const known = isFresh ? undefined : (kept.get(name) ?? reading.get(name))
      if (known !== undefined) return known
      const start = now()
      const mine = read()
      reading.set(name, mine)
      try {
        const value = await mine
        if (reading.get(name) === mine) kept.set(name, value, { start })
        return value
      } finally {
        if (reading.get(name) === mine) reading.delete(name)
      }
    },
    forget(isMeant) {
      reading.clear()
      for (const [name, value] of kept.entries()) if (isMeant(value, name)) kept.delete(name)
    },
  }
}
