import type { Deps } from '../../../deps.ts'
import { NotFound } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { CANCELLED, errorEnding } from '../outcome/endings.ts'
import { settleMessages } from '../outcome/settle-sql.ts'
import { lockQueuedMessages } from './queue-sql.ts'
import { cancelBatch } from './sql.ts'

/**
 * Ends what a batch has not sent yet as ERROR with code CANCELLED and gives its fees back, in one transaction
 * (G-27); messages under way finish. Cancelling again changes nothing.
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
    const endings = queued.map(({ id, params, declared }) =>
      errorEnding(
        ids.next(),
        { id, params, template: { params: declared } },
        { errorCode: CANCELLED, errorText: '', answer: null, event: { kind: 'cancelled', detail: {} } },
      ),
    )
    await settleMessages(trx, shopId, endings, { from: ['QUEUED'], now })
  })
}
