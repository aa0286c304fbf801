import type { Deps } from '../../../deps.ts'
import type { Refused } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { findWallet } from '../../wallet/sql.ts'
import { type AskedBatch, type DecidedBatch, decideBatch } from './decide-batch.ts'

/**
 * The result that a batch would have if it were accepted now, by the same rules (G-27); nothing is locked, stored or held.
 * `feesBefore`, in đồng, is what earlier batches of the same list will cost, for a list that takes several calls.
 * @throws as {@link decideBatch}
 */
export async function previewBatch(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  shopId: ObjectId,
  { feesBefore, ...asked }: AskedBatch & { feesBefore: number },
  says: (refused: Refused) => string,
): Promise<DecidedBatch> {
  return decideBatch(db, shopId, asked, {
    limits: config.recipientLimits,
    async readWallet(executor, id) {
      const wallet = await findWallet(executor, id)
      return wallet && { ...wallet, balance: Math.max(wallet.balance - feesBefore, 0) }
    },
    says,
    now: clock.now(),
  })
}
