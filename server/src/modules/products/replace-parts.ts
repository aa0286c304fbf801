import type { Db, Trx } from '../../db/client.ts'
import { NotFound } from '../../errors.ts'
import type { Ids, ObjectId } from '../../lib/object-id.ts'
import { planSubItems, planTiers, type SentSubItemsGroup, type SentTier } from './parts-rules.ts'
import { findSubItemIds, findTierIds, replaceSubItems, replaceTiers } from './parts-sql.ts'
import type { ChildRows, Children, ProductRow } from './sql/columns.ts'
import { findProduct } from './sql/list.ts'
import { lockProduct, touchProduct } from './variants/sql.ts'

type Context = { ids: Ids; now: Date; children: Children }
type Product = ProductRow & ChildRows

/**
 * Gives a product the wholesale prices of the body in the place of those it has (G-37).
 * @returns the product afterwards, and what is odd about the prices.
 * @throws NotFound; ValidationError as `planTiers`.
 */
export async function replaceWholesalePrices(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  sent: SentTier[],
  context: Context,
): Promise<{ row: Product; warnings: string[] }> {
  let warnings: string[] = []
  const row = await changeParts(db, shopId, id, context, async (trx) => {
    const plan = planTiers(sent, await findTierIds(trx, shopId, id), context.ids.next)
    warnings = plan.warnings
    await replaceTiers(trx, shopId, id, plan.tiers)
  })
  return { row, warnings }
}

/**
 * Gives a product the sub-items groups of the body in the place of those it has (G-37).
 * @throws NotFound; ValidationError as `planSubItems`.
 */
export async function replaceSubItemsGroups(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  sent: SentSubItemsGroup[],
  context: Context,
): Promise<Product> {
  return changeParts(db, shopId, id, context, async (trx) => {
    const plan = planSubItems(sent, await findSubItemIds(trx, shopId, id), context.ids.next)
    await replaceSubItems(trx, shopId, id, plan.groups, plan.items)
  })
}

/** Under the product's lock, so that of two replacements at once one comes after the other, whole. */
async function changeParts(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  context: Context,
  change: (trx: Trx) => Promise<void>,
): Promise<Product> {
  return db.transaction().execute(async (trx) => {
    if ((await lockProduct(trx, shopId, id)) === undefined) throw new NotFound('product')
    await change(trx)
    await touchProduct(trx, shopId, id, context.now)
    return (await findProduct(trx, shopId, id, context.children))!
  })
}
