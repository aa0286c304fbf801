import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { type ChangeContext, changeLockedProduct, type WholeProduct } from '../change-product.ts'
import { planSubItems, type SentSubItemsGroup } from './rules.ts'
import { findSubItemIds, replaceSubItems } from './sql.ts'

/**
 * Replaces a product's sub-items groups with those of the body (G-37).
 * @throws NotFound; ValidationError as `planSubItems`.
 */
export async function replaceSubItemsGroups(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  sent: SentSubItemsGroup[],
  context: ChangeContext,
): Promise<WholeProduct> {
  return changeLockedProduct(db, shopId, id, 'sub_items', context, async (trx) => {
    const plan = planSubItems(sent, await findSubItemIds(trx, shopId, id), context.ids.next)
    await replaceSubItems(trx, shopId, id, plan.groups, plan.items)
  })
}
