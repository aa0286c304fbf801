import { availableParallelism } from 'node:os'
import type { Sharp } from 'sharp'
import { Refused } from '../../errors.ts'
import { IMAGE_TYPES, type ImageEnding, imageEndingOf } from './rules.ts'

/** The longest side of a stored image, in pixels. */
const MAX_SIDE = 2048

const THUMBNAIL_SIDE = 96

/** No phone's camera takes larger pictures. */
const MAX_PIXELS = 50_000_000
/**
 * The most bytes of a decoded image: MAX_PIXELS with four channels of 8 bits, or half as many pixels with 16 bits, since more
 * took 3.5 s.
 */
const MAX_DECODED_BYTES = 4 * MAX_PIXELS
/**
 * The longest side of an uploaded image, in pixels. Decoding costs by the row: 50 megapixels of 7,071 rows take 0.5 s, 20 of
 * 20,000,000 rows 3.2 s.
 */
const MAX_UPLOADED_SIDE = 20_000
const TIMEOUT_SECONDS = 5

const DEPTH_BYTES: Record<string, number> = { ushort: 2, short: 2, uint: 4, int: 4, float: 4, double: 8 }

/** How each type is encoded. */
const WRITE: Record<ImageEnding, (image: Sharp) => Sharp> = {
  png: (image) => image.png({ compressionLevel: 9 }),
  jpg: (image) => image.jpeg({ quality: 85, mozjpeg: true }),
  webp: (image) => image.webp({ quality: 85 }),
}

export type ConvertedImage = {
  bytes: Buffer
  ending: ImageEnding
  contentType: string
  width: number
  height: number
}

/**
 * An uploaded image as it is stored: upright, without metadata, at most 2048 pixels wide and high, of the type that its content
 * has; of an animation, the first frame. Run one conversion at a time (`turns.ts`), which bounds the memory and uses one of the
 * process's four worker threads.
 * @throws Refused IMAGE_NOT_SUPPORTED, IMAGE_TOO_LARGE, IMAGE_SIDE_TOO_LONG, IMAGE_UNREADABLE.
 */
export async function convertImage(bytes: Buffer): Promise<ConvertedImage> {
  // No other decoder may get untrusted input: the library's SVG decoder, for example, reads files.
  const ending = imageEndingOf(bytes)
  if (ending === undefined) throw new Refused('IMAGE_NOT_SUPPORTED')
  // Loaded for the first image: a process that receives none saves the memory.
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  // Leaves a core to the event loop.
  sharp.concurrency(Math.max(1, availableParallelism() - 1))
  try {
    const { width, height, channels, depth } = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata()
    const pixelBytes = channels * (DEPTH_BYTES[depth] ?? 1)
    if (width * height * pixelBytes > MAX_DECODED_BYTES) throw tooLarge(MAX_DECODED_BYTES / pixelBytes)
    if (Math.max(width, height) > MAX_UPLOADED_SIDE) {
      throw new Refused('IMAGE_SIDE_TOO_LONG', { most: MAX_UPLOADED_SIDE })
    }
    const upright = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .autoOrient()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: TIMEOUT_SECONDS })
    const { data, info } = await WRITE[ending](upright).toBuffer({ resolveWithObject: true })
    return {
      bytes: data,
      ending,
      contentType: IMAGE_TYPES[ending],
      width: info.width,
      height: info.height,
    }
  } catch (error) {
    if (error instanceof Refused) throw error
    if (/pixel limit/.test((error as Error).message)) throw tooLarge(MAX_PIXELS)
    throw new Refused('IMAGE_UNREADABLE')
  }
}

/** A stored image, which was converted before, cut to a square of 96 pixels. */
export async function thumbnailOf(bytes: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  return sharp(bytes, { limitInputPixels: MAX_SIDE ** 2 })
    .resize({ width: THUMBNAIL_SIDE, height: THUMBNAIL_SIDE, fit: 'cover' })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .webp({ quality: 80 })
    .toBuffer()
}

function tooLarge(mostPixels: number): Refused {
  return new Refused('IMAGE_TOO_LARGE', { most: Math.floor(mostPixels / 1_000_000) })
}
