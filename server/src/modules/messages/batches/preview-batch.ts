import type { Deps } from '../../../deps.ts'
import type { Refused } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { findWallet } from '../../wallet/sql.ts'
import { type AskedBatch, type DecidedBatch, decideBatch } from './decide-batch.ts'

/**
 * What would become of a batch if it were accepted now (G-27), by the same rules; nothing is locked, stored or held. `feesBefore`, in
 * đồng, is what batches before it will take from the wallet: of a list that takes several calls.
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
