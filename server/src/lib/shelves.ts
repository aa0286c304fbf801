import { LRUCache } from 'lru-cache'

export type Shelves<V> = {
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
 * Keeps values in `maxBytes` of memory. Each owner has its own shelf of at most an eighth of that; beyond it, the
 * owner's least recently used values are dropped. If all shelves together use too much, the least recently used shelves
 * are dropped as a whole. So an owner that fills its shelf takes no more than that eighth from the others.
 */
export function createShelves<V extends object>(maxBytes: number): Shelves<V> {
  const shelves = new LRUCache<string, LRUCache<string, V>>({ maxSize: maxBytes })
  const newShelf = () => new LRUCache<string, V>({ maxSize: maxBytes / PARTS - OWNER_BYTES })
  return {
    get: (owner, name) => shelves.get(owner)?.get(name),
    set(owner, name, value, bytes) {
      const shelf = shelves.get(owner) ?? newShelf()
      shelf.set(name, value, { size: bytes + 2 * name.length + VALUE_BYTES })
      shelves.set(owner, shelf, { size: shelf.calculatedSize + OWNER_BYTES })
    },
  }
}
