import { type RawBuilder, sql } from 'kysely'
import type { ObjectId } from '../../../lib/object-id.ts'

/** E8's filters. */
export type ProductFilter = {
  search: string | undefined
  categoryId: ObjectId | undefined
  /** Whole đồng, both bounds inclusive. */
  minPrice: number | undefined
  maxPrice: number | undefined
  barcode: string | undefined
  /** Upper bound of the available pieces, inclusive. */
  stockAtMost?: number | undefined
  /** Whether stock of the product was ever entered (G-126). */
  isStocked?: boolean | undefined
  ids?: ObjectId[] | undefined
}

/** The conditions on a product `p`, without the search. */
export function conditionsOf(
  shopId: ObjectId,
  filter: ProductFilter,
  price: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const conditions = [sql`p.shop_id = ${shopId} and p.deleted_at is null`]
  if (filter.categoryId !== undefined) conditions.push(sql`p.category_id = ${filter.categoryId}`)
  if (filter.minPrice !== undefined) conditions.push(sql`${price} >= ${filter.minPrice}::bigint`)
  if (filter.maxPrice !== undefined) conditions.push(sql`${price} <= ${filter.maxPrice}::bigint`)
  const ofStock = stockConditionsOf(filter)
  if (ofStock !== undefined) {
    conditions.push(sql`p.id in (
      select t.product_id
      from product_stock t
      where t.shop_id = ${shopId} and not t.is_retired and ${ofStock}
    )`)
  }
  if (filter.ids !== undefined) conditions.push(sql`p.id = any(${filter.ids}::text[])`)
  if (filter.barcode !== undefined) {
    conditions.push(sql`p.id = (
      select c.product_id
      from product_codes c
      where c.shop_id = ${shopId} and c.kind = 'barcode' and c.folded = fold_code(${filter.barcode})
      order by c.code = ${filter.barcode} desc, c.is_duplicate
      limit 1
    )`)
  }
  return sql.join(conditions, sql` and `)
}

/** The conditions on a product's row `t` of `product_stock`; undefined without any. */
export function stockConditionsOf({
  stockAtMost,
  isStocked,
}: ProductFilter): RawBuilder<unknown> | undefined {
  const conditions = [
    ...(stockAtMost === undefined ? [] : [sql`t.stock_quantity <= ${stockAtMost}::bigint`]),
    ...(isStocked === undefined ? [] : [isStocked ? sql`t.is_stocked` : sql`not t.is_stocked`]),
  ]
  return conditions.length === 0 ? undefined : sql.join(conditions, sql` and `)
}

/** Whether the filter has conditions besides the search. Retired products need none: they have no codes. */
export function isFiltered({
  categoryId,
  minPrice,
  maxPrice,
  barcode,
  stockAtMost,
  isStocked,
  ids,
}: ProductFilter): boolean {
  return [categoryId, minPrice, maxPrice, barcode, stockAtMost, isStocked, ids].some(
    (bound) => bound !== undefined,
  )
}
