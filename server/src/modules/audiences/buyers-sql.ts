import { type RawBuilder, sql } from 'kysely'
import { type Db, planned } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'

export type Goods = { productIds: ObjectId[]; categoryIds: ObjectId[] }

/**
 * The SKUs of the products, and of the products of the categories, including those that were in one when they were retired. Uses
 * products_by_category and products_by_retired_category.
 */
export function skusOf(shopId: ObjectId, { productIds, categoryIds }: Goods): RawBuilder<unknown> {
  return sql`select k.id
              from skus k
              where k.shop_id = ${shopId} and k.product_id = any(${productIds}::text[])
              union all
              select k.id
              from products p
              join skus k on k.shop_id = p.shop_id and k.product_id = p.id
              where p.shop_id = ${shopId} and p.category_id = any(${categoryIds}::text[])
              union all
              select k.id
              from products p
              join skus k on k.shop_id = p.shop_id and k.product_id = p.id
              where p.shop_id = ${shopId} and p.retired_category_id = any(${categoryIds}::text[])`
}

/**
 * Who bought goods, since a moment or ever: the customers of the orders of their lines, by index order_items_by_sku. Undefined if there
 * are more than `most` lines: then looking at each customer costs less.
 */
export async function findBuyers(
  db: Db,
  shopId: ObjectId,
  { from, ...goods }: Goods & { from: Date | undefined },
  most: number,
): Promise<ObjectId[] | undefined> {
  const since = from === undefined ? sql`` : sql` and o.created_at >= ${from}`
  // With an offset the lines of each SKU are found by the index: as a join, all lines of the shop may be read.
  const { rows } = await sql<{ lines: number; customers: ObjectId[] }>`
    ${planned}
    with sold as materialized (
      select i.order_id
      from (${skusOf(shopId, goods)}) as k (id), lateral (
        select i.order_id
        from order_items i
        where i.shop_id = ${shopId} and i.sku_id = k.id
        offset 0
      ) as i
      limit ${most + 1}
    )
    select (select count(*) from sold) as lines, array(
      select distinct o.customer_id::text
      from sold, lateral (
        select o.customer_id
        from orders o
        where o.shop_id = ${shopId} and o.id = sold.order_id and o.status <> 'cancelled'${since}
        offset 0
      ) as o
      where o.customer_id is not null and (select count(*) from sold) <= ${most}
    ) as customers`.execute(db)
  const { lines, customers } = rows[0]!
  return lines > most ? undefined : customers
}
