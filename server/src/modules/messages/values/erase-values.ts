import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { eraseSomeValues, type ValuesPlace } from './sql.ts'

const STEP = 1_000
/** A message ends at most this long after it was sent: one that the last walk passed over may have ended since. */
const LONGEST_MS = 40 * 86_400_000

/**
 * Empties what a shop's messages from before were filled with and what the platform answered to them; who they went to, what they
 * cost and how they ended stays. In short statements along the history, from a while before `since`, up to when the last walk
 * emptied them; from its beginning without one. @returns how many had values.
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
