import type { Db } from '../../db/client.ts'
import { NotFound } from '../../errors.ts'
import { toBasisPoints } from '../../lib/amounts/vat.ts'
import type { Edit } from '../../lib/edit.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { fold } from '../../lib/text/fold.ts'
import { slugify } from '../../lib/text/slug.ts'
import { assertVersion } from '../concurrent-edits/assert-version.ts'
import { assertImages, categoryIdOf, nextSlug } from './rules.ts'
import type { ProductRow } from './sql/columns.ts'
import { findProductToUpdate, type UpdateColumns, updateProduct } from './sql/write.ts'
import { withStoredCodes } from './stored-codes.ts'
import { writeProduct } from './write-product.ts'

/** E11's body after validation, without `shopId`. */
export type ProductPatch = {
  name?: string
  slug?: string
  aliasName?: string
  description?: string
  price?: number
  originPrice?: number | null
  vat?: number
  categoryId?: string | null
  status?: 'active' | 'inactive'
  images?: string[]
  itemSku?: string
  barcode?: string
}

/**
 * Changes the sent fields of a product, and its slug by E11's rule. A product that has the sent values already stays as it is
 * (G-00). If another request changes the product in between, the product is read again, so that the slug matches the name and an outdated version is refused.
 * @throws NotFound; RecordChanged; ValidationError for an unknown category or too long images; Refused ITEM_SKU_TAKEN or BARCODE_TAKEN
 *   (G-39).
 */
export async function changeProduct(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  sent: ProductPatch,
  { edit, now }: { edit: Edit; now: Date },
): Promise<ProductRow & UpdateColumns> {
  const patch = withStoredCodes(sent)
  const categoryId = categoryIdOf(patch.categoryId)
  assertImages(patch.images)
  return writeProduct(async () => {
    const current = await findProductToUpdate(db, shopId, id)
    if (current === undefined) throw new NotFound('product')
    await assertVersion(db, shopId, 'products', { id, version: current.version }, edit)
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
      isEmpty: Object.keys(patch).every((field) => field === 'slug' && slugify(patch.slug!) === ''),
      updatedBy: edit.by,
      now,
    })
  })
}
