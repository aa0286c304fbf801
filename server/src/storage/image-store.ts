/**
 * The image store. Keys are derived from the content (`<shop>/<sha-256>.<ending>`), so the content of a key never
 * changes, and writing it again is harmless.
 */
export type ImageStore = {
  /** @throws StorageAway if the store refuses it. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** The bytes of a key, undefined if there are none. @throws StorageAway when the store does not respond. */
  get(key: string): Promise<Buffer | undefined>
  /** The keys of a shop's images, with the time when each was last stored. @throws StorageAway as `get` does. */
  list(shopId: string): AsyncIterable<{ key: string; storedAt: Date }>
  /**
   * Removes an image, unless it was stored again at `before` or later. @returns whether there was one to remove.
   * @throws StorageAway as `get` does.
   */
  removeOlder(key: string, before: Date): Promise<boolean>
  /**
   * Removes some images of a shop; call it until it returns 0. @returns how many.
   * @throws StorageAway when the store does not respond.
   */
  removeSome(shopId: string): Promise<number>
}

const KEY = /^[0-9a-f]{24}\/[0-9a-f]{64}\.(png|jpg|webp)$/

/** Whether it can be the key of a stored image: `<shop id>/<SHA-256>.<kind>`. */
export function isKey(key: string): boolean {
  return KEY.test(key)
}

/** Checks that a key stays inside the store. @throws Error otherwise; callers check their input first. */
export function assertKey(key: string): void {
  if (!KEY.test(key)) throw new Error('not the key of an image')
}

/** Checks that a folder's name is a shop's id. @throws Error otherwise. */
export function assertShop(shopId: string): void {
  if (!/^[0-9a-f]{24}$/.test(shopId)) throw new Error('not the id of a shop')
}
