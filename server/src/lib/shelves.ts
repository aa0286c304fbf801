import { LRUCache } from 'lru-cache'

export type Shelves<V> = {
  get(owner: string, name: string): V | undefined
  /** `bytes`: what the value takes. One that takes more than an owner may have is not kept. */
  set(owner: string, name: string, value: V, bytes: number): void
}

/** No owner has a larger part of it. */
const PARTS = 8
/** What an owner and a value take beside the value's own bytes and its name's. */
const OWNER_BYTES = 4096
const VALUE_BYTES = 512

/**
 * Keeps values in `maxBytes` of memory. Each owner has a shelf of its own, of an eighth of it at most: beyond that the
 * owner's values drop that were not used for longest. Where all shelves together take too much, those go whole that were
 * not used for longest: an owner that fills its own takes no more than that eighth from the others.
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
