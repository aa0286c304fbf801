import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { eraseSomeValues, type ValuesPlace } from './sql.ts'

const STEP = 1_000
/**
 * A message ends at most this long after it was sent, so messages that had not ended at the last walk are found by going back
 * this far.
 */
const LONGEST_MS = 40 * 86_400_000

/**
 * Erases the values that a shop's messages sent before `before` were filled with, and the platform's responses to them; their
 * recipients, fees and outcomes stay. Walks along the history in short statements. `since` is the `before` of the last walk: this
 * walk begins a while before it, or at the beginning of the history if there was none. @returns how many messages had values.
 */
export async function eraseOldValues(
  db: Db,
  shopId: ObjectId,
  { since, before }: { since: Date | null; before: Date },
  stopping: Pick<AbortSignal, 'aborted'>,
): Promise<number> {
  let erased = 0
  let after: ValuesPlace | undefined
  if (since !== null) after = { at: new Date(since.getTime() - LONGEST_MS).toISOString(), id: '' }
  while (!stopping.aborted) {
    const step = await eraseSomeValues(db, shopId, { after, before, limit: STEP })
    erased += step.erased
    if (step.last === null) break
    after = step.last
  }
  return erased
}
