import { Refused } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

/** How long an export may be read. Its file has the state at the time of reading, and its cursor stays valid for much longer. */
export const EXPORT_KEPT_MS = 24 * 3_600_000

const MOST_AT_ONCE = 2
const RETRY_SECONDS = 10

/** Limits the files that a process sends to each shop at once. */
export function createExportSlots() {
  const taken = new Map<ObjectId, number>()
  return {
    /** Takes a slot for the shop. @returns a function that gives it back. @throws Refused EXPORTS_BUSY (429) beyond the limit. */
    take(shopId: ObjectId): () => void {
      const count = taken.get(shopId) ?? 0
      if (count >= MOST_AT_ONCE)
        throw new Refused('EXPORTS_BUSY', { max: MOST_AT_ONCE, retryAfterSeconds: RETRY_SECONDS })
      taken.set(shopId, count + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        const left = taken.get(shopId)! - 1
        if (left === 0) taken.delete(shopId)
        else taken.set(shopId, left)
      }
    },
  }
}
