import type { Db } from '../../db/client.ts'
import { NotFound } from '../../errors.ts'
import { fold } from '../../lib/fold.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { toBasisPoints } from '../../lib/vat.ts'
import { categoryIdOf, nextSlug } from './rules.ts'
import type { ProductRow } from './sql/columns.ts'
import { findProductToUpdate, type UpdateColumns, updateProduct } from './sql/write.ts'
import { writeProduct } from './write-product.ts'

/** E11's body without `shopId`, checked. */
export type ProductPatch = {
  name?: string
  slug?: string
  aliasName?: string
  description?: string
  price?: number
  originPrice?: number
  vat?: number
  categoryId?: string
  status?: 'active' | 'inactive'
  images?: string[]
  itemSku?: string
  barcode?: string
}

/**
 * Changes the fields sent of a product, and its slug as E11 says. A change made by another request in between
 * is read again first, so that the slug always fits the name it stands beside.
 * @throws NotFound; ValidationError for an unknown category; Refused ITEM_SKU_TAKEN or BARCODE_TAKEN (G-39).
 */
export async function changeProduct(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  patch: ProductPatch,
  context: { by: ObjectId; now: Date },
): Promise<ProductRow & UpdateColumns> {
  const categoryId = categoryIdOf(patch.categoryId)
  return writeProduct(async () => {
    const current = await findProductToUpdate(db, shopId, id)
    if (current === undefined) throw new NotFound('product')
    return updateProduct(db, shopId, id, current.version, {
      name: patch.name,
      search: patch.name === undefined ? undefined : fold(patch.name),
      aliasName: patch.aliasName,
      description: patch.description,
      price: patch.price,
      originPrice: patch.originPrice,
      vatBasisPoints: patch.vat === undefined ? undefined : toBasisPoints(patch.vat),
      categoryId,
      status: patch.status,
      images: patch.images,
      itemSku: patch.itemSku,
      barcode: patch.barcode,
      slug: nextSlug(patch.slug, patch.name ?? current.name, current),
      updatedBy: context.by,
      now: context.now,
    })
  })
}
