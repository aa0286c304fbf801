import type { Deps } from '../../../deps.ts'
import { NotFound } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { insertFeeEntries } from '../../wallet/sql.ts'
import { CANCELLED } from '../outcome/settle-message.ts'
import { maskedParams } from '../rules.ts'
import { endQueuedMessages, lockQueuedMessages } from './queue-sql.ts'
import { cancelBatch } from './sql.ts'

/**
 * Ends what a batch has not handed over yet as ERROR with code CANCELLED and gives its fees back, in one transaction
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
    const ended = queued.map(({ id, declared, params }) => ({
      id,
      maskedParams: maskedParams(declared, params),
    }))
    await endQueuedMessages(trx, shopId, ended, { errorCode: CANCELLED, now })
    const fees = queued.map(({ id, fee }) => ({ entryId: ids.next(), messageId: id, fee }))
    await insertFeeEntries(trx, shopId, 'release', fees, now)
  })
}
