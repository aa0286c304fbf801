import type { Deps } from '../../../deps.ts'
import { NotFound } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { CANCELLED } from '../outcome/endings.ts'
import { settleMessages } from '../outcome/settle-sql.ts'
import { cancelledEndings } from './cancel-queued-to.ts'
import { lockQueuedMessages } from './queue-sql.ts'
import { cancelBatch } from './sql.ts'

/**
 * Ends the unsent messages of a batch as ERROR with code CANCELLED and releases their fees, in one transaction (G-27);
 * messages in progress finish. Cancelling again changes nothing.
 * @throws NotFound batch
 */
export async function cancelQueuedMessages(
  { db, ids, clock }: Pick<Deps, 'db' | 'ids' | 'clock'>,
  shopId: ObjectId,
  batchId: ObjectId,
): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (trx) => {
    if (!(await cancelBatch(trx, shopId, batchId, now))) throw new NotFound('batch')
    const queued = await lockQueuedMessages(trx, shopId, batchId)
    const endings = cancelledEndings(queued, { code: CANCELLED, ids })
    await settleMessages(trx, shopId, endings, { from: ['QUEUED'], now })
  })
}
