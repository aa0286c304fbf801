import { LRUCache } from 'lru-cache'

export type Cache<V> = {
  /**
   * What is kept by this name, else what `read` gives, which callers at the same time share. `undefined` is not kept.
   * With `isFresh` it is read in any case. @throws what `read` throws.
   */
  get(name: string, read: () => Promise<V | undefined>, isFresh?: boolean): Promise<V | undefined>
  /** Drops some of what is kept. What is being read meanwhile may be out of date already, and is not kept. */
  forget(isMeant: (value: V, name: string) => boolean): void
}

/**
 * Keeps what was read for `keptMs`, counted from the reading's begin by the clock `now`. Beyond `max` values those not
 * used for longest are dropped.
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
