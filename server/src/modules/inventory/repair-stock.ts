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

/** The most differences that the audit entry names; the log line names as many as the response. */
const AUDITED = 100

/**
 * Sets every stored quantity to the value in its ledger: stock to its movements and reservations, products to the sums of their
 * SKUs. Missing totals are created, and marked as retired if their product is. In one transaction; sales of the affected products
 * wait until it ends, others continue.
 * @returns the first `limit` differences that it found under its locks, and how many there were.
 */
export async function repairStock(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'log'>,
  shopId: ObjectId,
  limit: number,
  origin: Origin,
): Promise<Found> {
  return deps.db.transaction().execute(async (trx) => {
    const productIds = await listDifferingProducts(trx, shopId)
    if (productIds.length === 0) return { differences: [], total: 0 }
    const made = await lockStockOfProducts(trx, shopId, productIds)
    const found = withMissing(made, await listStockDifferences(trx, shopId, { productIds, limit }), limit)
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

type Found = { differences: StockDifference[]; total: number }

/** The differences found, together with the products whose totals were missing before they were locked. */
function withMissing(made: ObjectId[], { differences, total }: Found, limit: number): Found {
  const missing = made.map((productId): StockDifference => {
    const row = { product_id: productId, sku_id: null, warehouse_id: null }
    return { number: 'product.totals', ...row, stored: 0, derived: 1 }
  })
  return { differences: [...differences, ...missing].slice(0, limit), total: total + made.length }
}
