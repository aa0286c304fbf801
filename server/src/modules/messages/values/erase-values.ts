import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { eraseSomeValues, type ValuesPlace } from './sql.ts'

const STEP = 1_000

/**
 * Empties what a shop's messages from before were filled with and what the platform answered to them; who they went to, what they
 * cost and how they ended stays. In short statements along the history, from its beginning: a message may have ended long after
 * it was sent. @returns how many had values.
 */
export async function eraseOldValues(
  db: Db,
  shopId: ObjectId,
  before: Date,
  stopping: Pick<AbortSignal, 'aborted'>,
): Promise<number> {
  let erased = 0
  for (let after: ValuesPlace | undefined; !stopping.aborted; ) {
    const step = await eraseSomeValues(db, shopId, { after, before, limit: STEP })
    erased += step.erased
    if (step.last === null) break
    after = step.last
  }
  return erased
}
