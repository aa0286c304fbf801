import type { Deps } from '../../deps.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Origin } from '../audit/rules.ts'
import { insertAuditEntry } from '../audit/sql.ts'
import {
  listDifferingProducts,
  listStockDifferences,
  lockStockOfProducts,
  repairStockOfProducts,
  type StockDifference,
} from './sql/verify.ts'

/** Differences that the audit entry names; the log has as many as the answer. */
const AUDITED = 100

/**
 * Sets every number that is kept beside its ledger to what the ledger says: stock to its movements and reservations,
 * products to the sums of their SKUs. In one transaction; sales of the products concerned wait for its end, others go on.
 * @returns the first `limit` differences that it found under its locks, and how many they were.
 */
export async function repairStock(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'log'>,
  shopId: ObjectId,
  limit: number,
  origin: Origin,
): Promise<{ differences: StockDifference[]; total: number }> {
  return deps.db.transaction().execute(async (trx) => {
    const productIds = await listDifferingProducts(trx, shopId)
    if (productIds.length === 0) return { differences: [], total: 0 }
    await lockStockOfProducts(trx, shopId, productIds)
    const found = await listStockDifferences(trx, shopId, { productIds, limit })
    await repairStockOfProducts(trx, shopId, productIds)
    await insertAuditEntry(trx, shopId, {
      id: deps.ids.next(),
      origin,
      action: 'stock.repair',
      target: {},
      detail: { total: found.total, differences: found.differences.slice(0, AUDITED) },
      now: deps.clock.now(),
    })
    deps.log.warn({ shopId, ...found }, 'stock was repaired from its ledger')
    return found
  })
}
