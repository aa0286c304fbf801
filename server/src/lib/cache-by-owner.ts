import { LRUCache } from 'lru-cache'

export type CacheByOwner<V> = {
  get(owner: string, name: string): V | undefined
  /** `bytes` is the size of the value. A value larger than an owner's share is not kept. */
  set(owner: string, name: string, value: V, bytes: number): void
}

/** No owner may use more than one part of this many. */
const PARTS = 8
/** What an owner and a value use in addition to the bytes of the value and its name. */
const OWNER_BYTES = 4096
const VALUE_BYTES = 512

/**
 * Keeps values in `maxBytes` of memory. Each owner has its own cache of at most an eighth of that; beyond it, the
 * owner's least recently used values are dropped. If all together use too much, the cache of the owner that was least
 * recently used is dropped as a whole. So one owner takes no more than that eighth from the others.
 */
export function createCacheByOwner<V extends object>(maxBytes: number): CacheByOwner<V> {
  const owners = new LRUCache<string, LRUCache<string, V>>({ maxSize: maxBytes })
  const newCache = () => new LRUCache<string, V>({ maxSize: maxBytes / PARTS - OWNER_BYTES })
  return {
    get: (owner, name) => owners.get(owner)?.get(name),
    set(owner, name, value, bytes) {
      const cache = owners.get(owner) ?? newCache()
      cache.set(name, value, { size: bytes + 2 * name.length + VALUE_BYTES })
      // The library keeps the earlier size of a value that is set again.
      owners.delete(owner)
      owners.set(owner, cache, { size: cache.calculatedSize + OWNER_BYTES })
    },
  }
}
