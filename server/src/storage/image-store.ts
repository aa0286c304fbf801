/**
 * Where images are kept, by a key that their content makes (`<shop>/<sha-256>.<ending>`): what a key holds never
 * changes, and writing it again does no harm.
 */
export type ImageStore = {
  /** @throws StorageAway when the store does not take it. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** The bytes of a key, undefined when there are none. @throws StorageAway when the store does not answer. */
  get(key: string): Promise<Buffer | undefined>
}

const KEY = /^[0-9a-f]{24}\/[0-9a-f]{64}\.(png|jpg|webp)$/

/** A key leads nowhere else than into the store. @throws Error otherwise: the callers check what they are asked for. */
export function assertKey(key: string): void {
  if (!KEY.test(key)) throw new Error('not the key of an image')
}
