import type { Deps } from '../../deps.ts'
import { Refused } from '../../errors.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Origin } from '../audit/rules.ts'
import { insertAuditEntry } from '../audit/sql.ts'
import { findWallet, insertWalletEntry, type WalletRow } from './sql.ts'

/**
 * Tops up or corrects a shop's wallet, with its ledger entry and its audit entry (G-61).
 * @param change `amount` in đồng, not 0; a negative one is always a correction.
 * @throws Refused WALLET_BELOW_ZERO if the balance would fall below 0, or exceed the safe integers.
 */
export async function changeWallet(
  { db, ids, clock }: Pick<Deps, 'db' | 'ids' | 'clock'>,
  shopId: ObjectId,
  change: { entryId: ObjectId; type: 'top_up' | 'correction'; amount: number; note: string },
  origin: Origin,
): Promise<WalletRow> {
  return db.transaction().execute(async (trx) => {
    const now = clock.now()
    const { entryId, type, amount, note } = change
    const wallet = await insertWalletEntry(trx, shopId, { id: entryId, type, amount, note, now })
    if (wallet === undefined) {
      const { balance } = (await findWallet(trx, shopId))!
      throw new Refused('WALLET_BELOW_ZERO', { balance, amount })
    }
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: type === 'top_up' ? 'wallet.top_up' : 'wallet.correct',
      target: { entryId },
      detail: { amount, note, balance: wallet.balance },
      now,
    })
    return wallet
  })
}
