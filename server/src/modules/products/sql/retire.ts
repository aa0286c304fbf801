import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { productEvent, step, updatedAt } from './write-steps.ts'

/**
 * The codes of at most three open orders with a SKU of the product, retired SKUs included. Uses skus_by_product,
 * order_items_by_sku and the primary key of orders, in this order. `offset 0` enforces the order: the embedded database
 * has no statistics and would start with all orders of the shop.
 */
export async function listOpenOrderCodes(trx: Db, shopId: ObjectId, productId: ObjectId): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select distinct o.code
    from (
      select s.id from skus s where s.shop_id = ${shopId} and s.product_id = ${productId} offset 0
    ) s
    cross join lateral (
      select i.order_id from order_items i where i.shop_id = ${shopId} and i.sku_id = s.id offset 0
    ) i
    cross join lateral (
      select o.code
      from orders o
      where o.shop_id = ${shopId} and o.id = i.order_id and o.status not in ('completed', 'cancelled')
      offset 0
    ) o
    limit 3`.execute(trx)
  return rows.map((row) => row.code)
}

/**
 * Removes a locked product from everything except its orders: it leaves the lists, its SKUs are retired and its codes
 * become free. The category that it had is kept for audiences (G-119).
 */
export async function retireProductRow(
  trx: Db,
  shopId: ObjectId,
  id: ObjectId,
  { by, now }: { by: ObjectId | null; now: Date },
): Promise<void> {
  await sql`
    with ${step.p} as (
      update products p
      set deleted_at = ${now}, category_id = null, retired_category_id = p.category_id, version = p.version + 1,
        updated_at = ${updatedAt(now)}, updated_by = ${by}
      where p.shop_id = ${shopId} and p.id = ${id}
      returning p.*
    ), ${step.retired} as (
      update skus s
      set is_active = false, updated_at = ${now}
      from ${step.p}
      where s.shop_id = p.shop_id and s.product_id = p.id and s.is_active
    ), ${step.unlisted} as (
      update product_stock t
      set is_retired = true
      from ${step.p}
      where t.shop_id = p.shop_id and t.product_id = p.id
    ), ${productEvent(shopId, 'product.updated', now)}
    delete from product_codes c
    using ${step.p}
    where c.shop_id = p.shop_id and c.product_id = p.id`.execute(trx)
}
