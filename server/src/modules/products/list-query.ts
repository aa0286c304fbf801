import type { Static } from 'typebox'
import { isTextKey, type ListPlace, readPlace } from '../../http/list-place.ts'
import { optionalObjectId } from '../../http/validation/object-id.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { noneSelected, parseSelect } from './rules.ts'
import type { listProductsQuery } from './schema.ts'
import type { ProductQuery } from './sql/list.ts'

/**
 * What a query of E8 asks for. A fractional bound of the price is rounded inwards, since prices are whole.
 * @throws MalformedId; ValidationError (query) for an unknown part or a place that is not in this list.
 */
export function readListQuery(
  asked: Static<typeof listProductsQuery>,
  shopId: ObjectId,
): ProductQuery & { page: ListPlace } {
  const { search, minPrice, maxPrice, stockAtMost, stocked, barcode, sortBy, sortType } = asked
  const categoryId = optionalObjectId(asked.category, 'category')
  const warehouseId = optionalObjectId(asked.warehouseId, 'warehouseId')
  const selected = parseSelect(asked.select)
  const select = selected ?? noneSelected()
  if (barcode !== undefined || warehouseId !== undefined) select.skus = true
  const list = `products.${sortBy}.${sortType}`
  const page = readPlace(asked, shopId, list, sortBy === 'name' ? isTextKey : undefined)
  return {
    filter: {
      search,
      categoryId,
      barcode: barcode?.trim(),
      ids: page.ids,
      stockAtMost,
      isStocked: stocked,
      minPrice: minPrice === undefined ? undefined : Math.ceil(minPrice),
      maxPrice: maxPrice === undefined ? undefined : Math.floor(maxPrice),
    },
    order: { by: sortBy, direction: sortType },
    page,
    mode: asked.total,
    shown: { select, skuDrafts: selected === undefined, warehouseId },
  }
}
