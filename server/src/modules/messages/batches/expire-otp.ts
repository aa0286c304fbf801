import type { Trx } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { OTP_EXPIRED } from '../outcome/endings.ts'
import { settleMessages } from '../outcome/settle-sql.ts'
import { cancelledEndings } from './cancel-queued-to.ts'
import { type ClaimedMessage, lockQueuedMessages } from './queue-sql.ts'
import { closeBatch } from './sql.ts'

/**
 * Ends queued messages with a one-time password that would be handed over too late, as ERROR with code OTP_EXPIRED, and releases
 * their fees (G-27): this message, which was just requeued, or with `isWholeBatch` every queued one of its batch, which is closed.
 */
export async function expireQueued(
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  trx: Trx,
  message: ClaimedMessage,
  { isWholeBatch }: { isWholeBatch: boolean },
): Promise<void> {
  const { shop_id: shopId, batch_id: batchId } = message
  const now = clock.now()
  if (isWholeBatch) await closeBatch(trx, shopId, batchId, now)
  const queued = isWholeBatch ? await lockQueuedMessages(trx, shopId, batchId) : [message]
  await settleMessages(trx, shopId, cancelledEndings(queued, { code: OTP_EXPIRED, ids }), {
    from: ['QUEUED'],
    now,
  })
}
