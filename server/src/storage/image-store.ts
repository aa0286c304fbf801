/**
 * The store of images, by a key that is derived from their content (`<shop>/<sha-256>.<ending>`): the content of a key
 * never changes, and writing it again is harmless.
 */
export type ImageStore = {
  /** @throws StorageAway if the store refuses it. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** The bytes of a key, undefined if there are none. @throws StorageAway when the store does not answer. */
  get(key: string): Promise<Buffer | undefined>
  /** The keys of a shop's images, with when each was stored last. @throws StorageAway as `get` does. */
  list(shopId: string): AsyncIterable<{ key: string; storedAt: Date }>
  /**
   * Removes an image unless it was stored anew, at `before` or after it. @returns whether there was one to remove.
   * @throws StorageAway as `get` does.
   */
  removeOlder(key: string, before: Date): Promise<boolean>
  /**
   * Removes some images of a shop, until there are none. @returns how many.
   * @throws StorageAway when the store does not answer.
   */
  removeSome(shopId: string): Promise<number>
}

const KEY = /^[0-9a-f]{24}\/[0-9a-f]{64}\.(png|jpg|webp)$/

export function isKey(key: string): boolean {
  return KEY.test(key)
}

/** Checks that a key stays inside the store. @throws Error otherwise; callers check their input first. */
export function assertKey(key: string): void {
  if (!KEY.test(key)) throw new Error('not the key of an image')
}

/** Checks that a name of a folder is a shop's id. @throws Error otherwise. */
export function assertShop(shopId: string): void {
  if (!/^[0-9a-f]{24}$/.test(shopId)) throw new Error('not the id of a shop')
}
