import { type RawBuilder, sql } from 'kysely'
import { TOTAL_CAP } from '../../lib/lists/total.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Period } from '../reports/period.ts'

export type LowStock = {
  /** The shop's limit, in available pieces. */
  atMost: number
  n: number
  first: { id: ObjectId; name: string; image: string | null; available: number }[]
}
export type TopGoods = {
  since: string | null
  orders: number
  isCut: boolean
  goods: { id: ObjectId; name: string; image: string | null; quantity: number; orders: number }[]
}

/**
 * How many of a period's newest orders have their lines summed: 6,500 buffers at two lines an order, for a shop of any
 * size. Sums per product and day would cost every sale one more row for each of its products.
 */
const ORDERS_READ = 500
const SHOWN = 5

type Sql = RawBuilder<unknown>

/**
 * The CTE `low_stock`: stocked products with as few available pieces as the shop has set, or fewer (G-126), the fewest
 * first, counted up to the cap of totals. A range of product_stock_low.
 */
export function lowStock(shopId: ObjectId): Sql {
  const atMost = sql`(select low_stock_at from shops where id = ${shopId})`
  const low = sql`shop_id = ${shopId} and is_stocked and not is_retired and stock_quantity <= ${atMost}`
  return sql`low_stock as (
      select json_build_object('atMost', ${atMost}, 'n', (
        select count(*)
        from (select from product_stock where ${low} limit ${sql.lit(TOTAL_CAP + 1)}) as found
      ), 'first', coalesce((
        select json_agg(json_build_object('id', p.id, 'name', p.name, 'image', p.images ->> 0,
            'available', t.stock_quantity)
          order by t.stock_quantity, p.id)
        from (
          select product_id, stock_quantity
          from product_stock
          where ${low}
          order by stock_quantity, product_id
          limit ${sql.lit(SHOWN)}
        ) t
        join products p on p.shop_id = ${shopId} and p.id = t.product_id
      ), '[]')) as low_stock
    )`
}

/**
 * The CTE `top_goods`: the products with the most pieces in the newest orders of a period. `since` is the creation time
 * of the oldest order that was read; `isCut` means that the period has more orders.
 */
export function topGoods(shopId: ObjectId, { from, before }: Period): Sql {
  return sql`newest as materialized (
      select id, created_at
      from orders
      where shop_id = ${shopId} and created_at >= ${from}::timestamptz and created_at < ${before}::timestamptz
        and status <> 'cancelled'
      order by created_at desc, id desc
      limit ${sql.lit(ORDERS_READ)}
    ), sold as (
      select line.product_id, sum(line.quantity)::bigint as quantity, count(distinct newest.id) as orders
      from newest
      cross join lateral (
        select s.product_id, i.quantity - i.returned_quantity as quantity
        from order_items i
        join skus s on s.shop_id = ${shopId} and s.id = i.sku_id
        where i.shop_id = ${shopId} and i.order_id = newest.id
        offset 0
      ) as line
      group by line.product_id
      having sum(line.quantity) > 0
      order by quantity desc, orders desc, line.product_id
      limit ${sql.lit(SHOWN)}
    ), top_goods as (
      select json_build_object('since', (select ${isoOf(sql`min(created_at)`)} from newest),
        'orders', (select count(*) from newest), 'isCut', (select count(*) = ${sql.lit(ORDERS_READ)} from newest),
        'goods', coalesce((
          select json_agg(json_build_object('id', p.id, 'name', p.name, 'image', p.images ->> 0,
              'quantity', sold.quantity, 'orders', sold.orders)
            order by sold.quantity desc, sold.orders desc, p.id)
          from sold
          join products p on p.shop_id = ${shopId} and p.id = sold.product_id
        ), '[]')) as top_goods
    )`
}

function isoOf(instant: Sql): Sql {
  return sql`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
