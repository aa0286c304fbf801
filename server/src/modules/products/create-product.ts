import type { Db } from '../../db/client.ts'
import { toBasisPoints } from '../../lib/amounts/vat.ts'
import type { Ids, ObjectId } from '../../lib/object-id.ts'
import { fold } from '../../lib/text/fold.ts'
import { assertImages, categoryIdOf, planSkus, type SentProduct, type SkuPlan, slugBase } from './rules.ts'
import type { ChildRows, ProductRow } from './sql/columns.ts'
import { insertProduct } from './sql/write.ts'
import { withStoredCodes } from './stored-codes.ts'
import { writeProduct } from './write-product.ts'

/** E10's body after validation. */
export type ProductDraft = SentProduct & {
  description?: string
  categoryId?: string
  status?: 'active' | 'inactive'
  vat?: number
  images?: string[]
}

/**
 * Creates a product with its SKUs and variants (E10); its slug comes from the name. Stock is 0 (G-36).
 * @returns the product with the new children, without reading them again.
 * @throws ValidationError (G-31, unknown category, images), Refused ITEM_SKU_TAKEN or BARCODE_TAKEN (G-39).
 */
export async function createProduct(
  db: Db,
  shopId: ObjectId,
  sent: ProductDraft,
  context: { id: ObjectId; ids: Ids; by: ObjectId | null; now: Date },
): Promise<ProductRow & ChildRows> {
  const { id, ids, by, now } = context
  const draft = { ...withStoredCodes(sent), ...(sent.skus && { skus: sent.skus.map(withStoredCodes) }) }
  const categoryId = categoryIdOf(draft.categoryId) ?? null
  assertImages(draft.images)
  const plan = planSkus(draft, ids.next)
  const product = {
    id,
    name: draft.name,
    description: draft.description ?? '',
    images: draft.images ?? [],
    price: draft.price,
    originPrice: draft.originPrice ?? null,
    itemSku: draft.itemSku ?? '',
    barcode: draft.barcode ?? '',
    vatBasisPoints: toBasisPoints(draft.vat ?? 0),
    status: draft.status ?? 'active',
    categoryId,
    slugBase: slugBase(draft.name),
    search: fold(draft.name),
    skuDrafts: plan.skuDrafts,
    by,
    now,
  }
  const row = await writeProduct(() => insertProduct(db, shopId, product, plan.groups, plan.skus, plan.codes))
  return { ...row, ...childrenOf(plan, now) }
}

function childrenOf(plan: SkuPlan, now: Date): ChildRows {
  const made = { created_at: now.toISOString(), updated_at: now.toISOString() }
  return {
    sku_drafts: plan.skuDrafts,
    skus: plan.skus.map((sku) => ({ images: [], ...sku, ...made, is_active: true, stock_quantity: 0 })),
    variant_groups: plan.groups.map((group) => ({ ...group, ...made })),
  }
}
