import type { Sharp } from 'sharp'
import { Refused } from '../../errors.ts'
import { IMAGE_TYPES, type ImageEnding, imageEndingOf } from './rules.ts'

/** The longest side of a stored image, in pixels. */
const MAX_SIDE = 2048

/** Beyond any phone's camera; a picture of this size takes 200 MB while it is worked on. */
const MAX_PIXELS = 50_000_000
const TIMEOUT_SECONDS = 10

/** How each type is written. */
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

let turn: Promise<unknown> = Promise.resolve()

/**
 * An uploaded image as it is stored: upright, without metadata, at most 2048 pixels wide and high, of the type its
 * content is; of a moving one the first picture. One at a time in a process, which bounds what they take of memory.
 * @throws Refused IMAGE_NOT_SUPPORTED, IMAGE_TOO_LARGE, IMAGE_UNREADABLE.
 */
export function convertImage(bytes: Buffer): Promise<ConvertedImage> {
  const mine = turn.then(() => convert(bytes))
  turn = mine.catch(() => {})
  return mine
}

async function convert(bytes: Buffer): Promise<ConvertedImage> {
  // No other decoder is let near what a stranger sends: the library has one for SVG, which reads files.
  const ending = imageEndingOf(bytes)
  if (ending === undefined) throw new Refused('IMAGE_NOT_SUPPORTED')
  // Loaded with the first image: a process that gets none saves its memory.
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  try {
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
    if (/pixel limit/.test((error as Error).message)) {
      throw new Refused('IMAGE_TOO_LARGE', { most: MAX_PIXELS / 1_000_000 })
    }
    throw new Refused('IMAGE_UNREADABLE')
  }
}
