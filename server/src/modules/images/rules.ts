import type { ObjectId } from '../../lib/object-id.ts'

/** The types that can be uploaded and served, by the ending of the image's address. */
export const IMAGE_TYPES = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const
export type ImageEnding = keyof typeof IMAGE_TYPES

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const JPEG = Buffer.from([0xff, 0xd8, 0xff])

/** The type of an image by its first bytes, whatever its sender calls it; undefined for anything else. */
export function imageEndingOf(bytes: Buffer): ImageEnding | undefined {
  if (bytes.subarray(0, 8).equals(PNG)) return 'png'
  if (bytes.subarray(0, 3).equals(JPEG)) return 'jpg'
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  return isWebp ? 'webp' : undefined
}

/**
 * The most uploads in progress at once, whose bodies are in memory: of one shop, and of all shops together. The last 8 places are
 * for shops that have none. A caller holds a place without sending a body for up to 30 s; ten shops that do so, instead of three,
 * are needed to shut out the others. Taking the place only when the body has arrived would not bound the memory.
 */
export const MOST_UPLOADS = { ofShop: 8, ofAll: 24, keptForFirst: 8 }
/** The most thumbnails in progress at once: of one shop, and of all shops together. A page of a list asks for up to 100. */
export const MOST_THUMBNAILS = { ofShop: 100, ofAll: 300 }

export type StoredImage = { shopId: ObjectId; sha256: string; ending: ImageEnding }

/** The key of an image in the store, and its path below `/images/`. */
export function imageKey({ shopId, sha256, ending }: StoredImage): string {
  return `${shopId}/${sha256}.${ending}`
}

/** The image that an address names, exactly as `imageKey` writes it; undefined for any other text. */
export function readImagePath(shop: string, file: string): StoredImage | undefined {
  const match = /^([0-9a-f]{64})\.(png|jpg|webp)$/.exec(file)
  if (match === null || !/^[0-9a-f]{24}$/.test(shop)) return undefined
  return { shopId: shop, sha256: match[1]!, ending: match[2] as ImageEnding }
}
