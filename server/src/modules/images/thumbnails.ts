import { type Cache, createCache } from '../../lib/cache.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { thumbnailOf } from './convert-image.ts'
import { MOST_THUMBNAILS } from './rules.ts'
import { createTurns } from './turns.ts'

/** A thumbnail is about 3 KB. */
const MAX_KEPT = 1000
const KEPT_MS = 24 * 60 * 60 * 1000

/**
 * Thumbnails of stored images for lists, made when they are first requested, shop by shop in turn, and kept in memory. Browsers
 * cache theirs for a year, so that each is made a few times at most.
 */
export function createThumbnails() {
  const kept: Cache<Buffer> = createCache({ max: MAX_KEPT, keptMs: KEPT_MS })
  const turns = createTurns(MOST_THUMBNAILS)

  return {
    /**
     * The image of `key` in a square of 96 pixels; `read` returns the whole image, and is called only in the shop's turn.
     * Undefined if `read` returns nothing. @throws Refused IMAGES_BUSY; errors of the decoder
     */
    of(key: string, shopId: ObjectId, read: () => Promise<Buffer | undefined>): Promise<Buffer | undefined> {
      return kept.get(key, async () => {
        const place = turns.enter(shopId)
        try {
          return await place.turn(async () => {
            const bytes = await read()
            return bytes && thumbnailOf(bytes)
          })
        } finally {
          place.leave()
        }
      })
    },
  }
}
