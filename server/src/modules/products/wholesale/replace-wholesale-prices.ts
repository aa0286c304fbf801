import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { type ChangeContext, changeLockedProduct, type WholeProduct } from '../change-product.ts'
import { planTiers, type SentTier } from './rules.ts'
import { findTierIds, replaceTiers } from './sql.ts'

/**
 * Replaces a product's wholesale prices with those of the body (G-37).
 * @returns the product after the change, and warnings about the prices.
 * @throws NotFound; ValidationError as `planTiers`.
 */
export async function replaceWholesalePrices(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  sent: SentTier[],
  context: ChangeContext,
): Promise<{ row: WholeProduct; warnings: string[] }> {
  let warnings: string[] = []
  const row = await changeLockedProduct(db, shopId, id, 'wholesale_prices', context, async (trx) => {
    const plan = planTiers(sent, await findTierIds(trx, shopId, id), context.ids.next)
    warnings = plan.warnings
    await replaceTiers(trx, shopId, id, plan.tiers)
  })
  return { row, warnings }
}
