import { type RawBuilder, sql } from 'kysely'
import { type KeyKind, rowsAfter } from '../../../db/fragments/keyset-sql.ts'
import { type Direction, sortKeys } from '../../../db/fragments/sort-sql.ts'
import type { Keyset } from '../../../lib/lists/place.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { SortField } from '../rules.ts'

export type ProductOrder = { by: SortField; direction: Direction }
/** Each key is the second column of its own index, followed by `id`. The index for the stock is on `product_stock`. */
export const SORT_KEYS: Record<SortField, string> = {
  createdAt: 'p.created_at',
  updatedAt: 'p.updated_at',
  name: 'p.search',
  price: 'p.price',
  sortOrder: 'coalesce(p.sort_order, 0)',
  stock_quantity:
    '(select t.stock_quantity from product_stock t where t.shop_id = p.shop_id and t.product_id = p.id)',
}

/** The kind of each key: time, text or number. */
export function kindOfKey(by: SortField): KeyKind {
  if (by === 'name') return 'text'
  return by === 'createdAt' || by === 'updatedAt' ? 'time' : 'number'
}

/**
 * The ids of the shop's products that match `where` (conditions on `p`), and their order: by the key and then by id, as
 * in the key's index. Without `where`, all products that are not retired match; if they are ordered by stock,
 * `products` is then not read. `areMany` is a condition without columns; rows are returned only if it holds, which
 * means that many products match. The planner only knows the average shop, and would sort the products of a larger one
 * by stock instead of walking the index; `offset 0` prevents that. With `after`, only products after that place are
 * returned. `ofStock` are the conditions on the row of `product_stock`: they bound the range of the index if the
 * products are ordered by stock.
 */
export function productsInOrder(
  shopId: ObjectId,
  { by, direction }: ProductOrder,
  {
    where,
    ofStock,
    areMany,
    after,
  }: {
    where: RawBuilder<unknown> | undefined
    ofStock: RawBuilder<unknown> | undefined
    areMany: RawBuilder<unknown> | undefined
    after: Keyset | undefined
  },
): { rows: RawBuilder<unknown>; order: { forward: RawBuilder<unknown>; backward: RawBuilder<unknown> } } {
  const gate = areMany === undefined ? sql`` : sql` and ${areMany}`
  const onwards = { direction, kind: kindOfKey(by) }
  if (by !== 'stock_quantity') {
    return {
      rows: sql`
        select p.id
        from products p
        where ${where ?? notRetired(shopId)}${gate}${rowsAfter(sql.raw(SORT_KEYS[by]), sql`p.id`, after, onwards)}`,
      order: sortKeys(sql.raw(SORT_KEYS[by]), sql`p.id`, direction),
    }
  }
  const products =
    where === undefined
      ? sql``
      : sql`
        cross join lateral (
          select from products p where p.id = t.product_id and ${where} ${areMany === undefined ? sql`` : sql`offset 0`}
        ) p`
  const bounds = ofStock === undefined ? sql`` : sql` and ${ofStock}`
  return {
    rows: sql`
        select t.product_id as id
        from product_stock t${products}
        where t.shop_id = ${shopId} and not t.is_retired${bounds}${gate}${rowsAfter(sql`t.stock_quantity`, sql`t.product_id`, after, onwards)}`,
    order: sortKeys(sql`t.stock_quantity`, sql`t.product_id`, direction),
  }
}

/**
 * The ids of those of the first `most` products (of those after a place) that match `where`, in their order. `areMany`
 * is as in {@link productsInOrder}.
 */
export function amongFirstProducts(
  shopId: ObjectId,
  { by, direction }: ProductOrder,
  where: RawBuilder<unknown>,
  areMany: RawBuilder<unknown>,
  after: Keyset | undefined,
  most: number,
): RawBuilder<unknown> {
  const onwards = { direction, kind: kindOfKey(by) }
  const key = by === 'stock_quantity' ? sql`t.stock_quantity` : sql.raw(SORT_KEYS[by])
  const id = by === 'stock_quantity' ? sql`t.product_id` : sql`p.id`
  const first = sql`
            where ${by === 'stock_quantity' ? sql`t.shop_id = ${shopId} and not t.is_retired` : notRetired(shopId)}
              and ${areMany}${rowsAfter(key, id, after, onwards)}
            order by ${sortKeys(key, id, direction).forward}
            limit ${most}`
  if (by !== 'stock_quantity') {
    return sql`
        select p.id
        from (
            select p.*, ${key} as key
            from products p${first}
        ) p
        where ${where}
        order by ${sortKeys(sql`p.key`, sql`p.id`, direction).forward}`
  }
  return sql`
        select t.id
        from (
            select t.product_id as id, t.stock_quantity as key
            from product_stock t${first}
        ) t
        cross join lateral (
          select from products p where p.id = t.id and ${where} offset 0
        ) p
        order by ${sortKeys(sql`t.key`, sql`t.id`, direction).forward}`
}

function notRetired(shopId: ObjectId): RawBuilder<unknown> {
  return sql`p.shop_id = ${shopId} and p.deleted_at is null`
}
