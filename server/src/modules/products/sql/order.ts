import { type RawBuilder, sql } from 'kysely'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { SortField } from '../rules.ts'

export type ProductOrder = { by: SortField; direction: 'asc' | 'desc' }
/** Each is the second column of an index of its own, `id` the third; that of the stock is of `product_stock`. */
export const SORT_KEYS: Record<SortField, string> = {
  createdAt: 'p.created_at',
  updatedAt: 'p.updated_at',
  name: 'p.search',
  price: 'p.price',
  sortOrder: 'coalesce(p.sort_order, 0)',
  stock_quantity:
    '(select t.stock_quantity from product_stock t where t.shop_id = p.shop_id and t.product_id = p.id)',
}

/** Written into the statements as {@link hinted} says; the last is the largest limit of E8. */
const HINTS = [10, 20, 50]

/**
 * Ids of the shop's products that fit `where`, conditions on `p`, by the key and then by id, by the key's index. Without
 * `where` all that are not retired; by stock then no product is looked up.
 */
export function idsInOrder(
  shopId: ObjectId,
  order: ProductOrder,
  where: RawBuilder<unknown> | undefined,
  slice: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const key = sql.raw(SORT_KEYS[order.by])
  const direction = sql.raw(order.direction)
  if (order.by !== 'stock_quantity') {
    return sql`
        select p.id
        from products p
        where ${where ?? sql`p.shop_id = ${shopId} and p.deleted_at is null`}
        order by ${key} ${direction}, p.id ${direction}
        ${slice}`
  }
  const products =
    where === undefined
      ? sql``
      : sql`
        join products p on p.shop_id = t.shop_id and p.id = t.product_id and ${where}`
  return sql`
        select t.product_id as id
        from product_stock t${products}
        where t.shop_id = ${shopId} and not t.is_retired
        order by t.stock_quantity ${direction}, t.product_id ${direction}
        ${slice}`
}

/**
 * The ids, with a limit that changes nothing in them: the planner does not know a bound limit, so it expects a
 * tenth of the shop and sorts all of it; a written one says that a few rows are wanted, and it walks the index.
 * With one close to the page's it also keeps the prepared plan, where planning would cost as much as running.
 */
export function hinted(ids: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
  const hint = HINTS.find((most) => limit <= most)!
  return sql`
      select q.id
      from (${ids}
      ) q
      limit ${sql.lit(hint)}`
}
