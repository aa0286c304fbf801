import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Period } from './period.ts'

/** A day's sales and their cost, in đồng. */
export type ProfitDay = {
  day: string
  orders: number
  sales: number
  lines: number
  lines_without_cost: number
  sales_with_cost: number
  cost: number
}

/** The largest number that JSON can carry exactly; larger sums of a day are cut to it. */
const MOST = sql.lit(String(Number.MAX_SAFE_INTEGER))

/** The amount of the pieces of line `i` that were not returned, after its own discount. */
const lineGross = sql`(i.price::numeric * i.quantity - i.discount) * (i.quantity - i.returned_quantity) / i.quantity`

/** Whether the buyer still has pieces of line `i`. */
const isLeft = sql`i.quantity > i.returned_quantity`

/** The pieces of line `i` of the order `sold` that came back and were not put into stock (G-123). */
function brokenPieces(shopId: ObjectId): RawBuilder<number> {
  return sql<number>`case when i.returned_quantity = 0 then 0 else (
          select coalesce(sum(l.quantity), 0)
          from order_returns r
          join order_return_lines l on l.shop_id = r.shop_id and l.return_id = r.id and l.order_item_id = i.id
          where r.shop_id = ${shopId} and r.order_id = sold.id and r.warehouse_id is null
        ) end`
}

/**
 * Each day of a period, oldest first and without gaps (G-38). One statement: it reads the period's orders with
 * orders_by_created, their lines with order_items_by_order, the returns of lines of which something came back with
 * order_returns_by_order, and nothing else of the shop's history. An order's discount is divided among its lines in
 * proportion to their amounts: the share of the lines with a cost is rounded half up, the rest goes to the lines
 * without one. Fees that the shop kept on returns (G-123) cost nothing, so they count as sales with a cost; pieces that
 * came back and were not put into stock stay in the cost.
 */
export async function listProfit(db: Db, shopId: ObjectId, period: Period): Promise<ProfitDay[]> {
  const { firstDay, days, from, before } = period
  const { rows } = await sql<ProfitDay>`
    with sold as materialized (
      select o.id, shop_day(o.created_at) as day, greatest(o.price - o.returned_amount - o.shipping_fee, 0) as sales, o.returned_amount
      from orders o
      where o.shop_id = ${shopId} and o.created_at >= ${from} and o.created_at < ${before} and o.status <> 'cancelled'
    ), by_order as (
      select sold.day, sold.sales, count(i.id) filter (where ${isLeft}) as lines,
        count(i.id) filter (where ${isLeft} and i.unit_cost is null) as without_cost,
        least(coalesce(sum(i.returned_amount), 0) - sold.returned_amount, sold.sales) as fees,
        coalesce(sum(${lineGross}), 0) as goods,
        coalesce(sum(${lineGross}) filter (where i.unit_cost is not null), 0) as goods_with_cost,
        coalesce(sum(i.unit_cost::numeric * (i.quantity - i.returned_quantity + ${brokenPieces(shopId)})), 0) as cost
      from sold
      left join order_items i on i.shop_id = ${shopId} and i.order_id = sold.id
      group by sold.id, sold.day, sold.sales, sold.returned_amount
    ), by_day as (
      select day, count(*) as orders, sum(sales) as sales, sum(lines) as lines, sum(without_cost) as without_cost,
        sum(fees + case when goods > 0 then round((sales - fees) * goods_with_cost / goods) else 0 end) as sales_with_cost, sum(cost) as cost
      from by_order
      group by day
    )
    select asked.day::date::text as day, coalesce(d.orders, 0) as orders, least(coalesce(d.sales, 0), ${MOST})::bigint as sales,
      coalesce(d.lines, 0)::bigint as lines, coalesce(d.without_cost, 0)::bigint as lines_without_cost,
      least(coalesce(d.sales_with_cost, 0), ${MOST})::bigint as sales_with_cost,
      least(coalesce(d.cost, 0), ${MOST})::bigint as cost
    from generate_series(${firstDay}::date, ${firstDay}::date + ${days - 1}::integer, '1 day') as asked (day)
    left join by_day d on d.day = asked.day::date
    order by asked.day`.execute(db)
  return rows
}

/** A product with lines that were sold without a cost. `sales`: their amounts before the orders' own discounts, in đồng. */
export type GoodsWithoutCost = {
  product_id: ObjectId
  name: string
  image: string | null
  lines: number
  quantity: number
  sales: number
  /** How many products there are in all, the same in each row. */
  products: number
}

/**
 * The first `limit` products whose lines count as `lines_without_cost` in {@link listProfit}, those with the most lines first. One
 * statement, which reads what that one reads.
 */
export async function listGoodsWithoutCost(
  db: Db,
  shopId: ObjectId,
  { from, before }: Period,
  limit: number,
): Promise<GoodsWithoutCost[]> {
  const { rows } = await sql<GoodsWithoutCost>`
    with sold as materialized (
      select id
      from orders
      where shop_id = ${shopId} and created_at >= ${from} and created_at < ${before} and status <> 'cancelled'
    ), by_sku as (
      select i.sku_id, count(*) as lines, sum(i.quantity - i.returned_quantity) as quantity, round(sum(${lineGross})) as sales
      from sold
      join order_items i on i.shop_id = ${shopId} and i.order_id = sold.id and i.unit_cost is null
        and ${isLeft}
      group by i.sku_id
    ), by_product as (
      select s.product_id, sum(by_sku.lines) as lines, sum(by_sku.quantity) as quantity, sum(by_sku.sales) as sales,
        count(*) over () as products
      from by_sku
      join skus s on s.shop_id = ${shopId} and s.id = by_sku.sku_id
      group by s.product_id
      order by lines desc, s.product_id
      limit ${limit}
    )
    select b.product_id, p.name, p.images ->> 0 as image, b.lines::bigint as lines, b.quantity::bigint as quantity,
      least(b.sales, ${MOST})::bigint as sales, b.products
    from by_product b
    join products p on p.shop_id = ${shopId} and p.id = b.product_id
    order by b.lines desc, b.product_id`.execute(db)
  return rows
}
