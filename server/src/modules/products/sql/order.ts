import { type RawBuilder, sql } from 'kysely'
import { type KeyKind, rowsAfter } from '../../../db/fragments/keyset-sql.ts'
import { type Direction, inOrder } from '../../../db/fragments/order-sql.ts'
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
 * returned.
 */
export function productsInOrder(
  shopId: ObjectId,
  { by, direction }: ProductOrder,
  where: RawBuilder<unknown> | undefined,
  areMany?: RawBuilder<unknown>,
  after?: Keyset,
): { rows: RawBuilder<unknown>; order: { forward: RawBuilder<unknown>; backward: RawBuilder<unknown> } } {
  const gate = areMany === undefined ? sql`` : sql` and ${areMany}`
  const onwards = { direction, kind: kindOfKey(by) }
  if (by !== 'stock_quantity') {
    return {
      rows: sql`
        select p.id
        from products p
        where ${where ?? sql`p.shop_id = ${shopId} and p.deleted_at is null`}${gate}${rowsAfter(sql.raw(SORT_KEYS[by]), sql`p.id`, after, onwards)}`,
      order: inOrder(sql.raw(SORT_KEYS[by]), sql`p.id`, direction),
    }
  }
  const products =
    where === undefined
      ? sql``
      : sql`
        cross join lateral (
          select from products p where p.id = t.product_id and ${where} ${areMany === undefined ? sql`` : sql`offset 0`}
        ) p`
  return {
    rows: sql`
        select t.product_id as id
        from product_stock t${products}
        where t.shop_id = ${shopId} and not t.is_retired${gate}${rowsAfter(sql`t.stock_quantity`, sql`t.product_id`, after, onwards)}`,
    order: inOrder(sql`t.stock_quantity`, sql`t.product_id`, direction),
  }
}
