import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { addShopEvent } from '../../webhooks/outbox/sql.ts'

/** What came in: `id` becomes the movement's; `quantity` is at least 1. */
export type ReceivedItem = { id: ObjectId; skuId: ObjectId; quantity: number }

/** The most items in one event (G-62). */
const MAX_TOLD = 1_000
const receivedData = sql`jsonb_build_object('reason', 'receive', 'orderId', null,
          'isCut', (select count(*) from changed) > ${MAX_TOLD}::integer,
          'items', jsonb_agg(jsonb_build_object('productId', skus.product_id, 'skuId', skus.id,
            'warehouseId', c.warehouse_id, 'quantity', c.quantity, 'reserved', c.reserved) order by skus.id))`

/**
 * Takes goods into a warehouse, the shop's default one unless named: a movement each, the stock rows and the
 * products' totals (G-36, G-38). One statement; a SKU may occur several times.
 * Locks stock rows in SKU order, then totals in product order.
 * @returns the SKUs' stock in that warehouse afterwards, in SKU order.
 * @throws a foreign key violation when a SKU or the warehouse is not the shop's: nothing is changed.
 */
export async function receiveStock(
  trx: Db,
  shopId: ObjectId,
  receipt: { warehouseId?: ObjectId; items: ReceivedItem[]; note?: string; now: Date },
): Promise<{ skuId: ObjectId; quantity: number }[]> {
  const items = receipt.items.map((item) => ({ id: item.id, sku_id: item.skuId, quantity: item.quantity }))
  const from = sql`(select * from changed order by sku_id limit ${MAX_TOLD}) c
        join skus on skus.shop_id = ${shopId} and skus.id = c.sku_id
        having count(*) > 0`
  const { rows } = await sql<{ skuId: ObjectId; quantity: number }>`
    with item as materialized (
      select n.id, n.sku_id, n.quantity, coalesce(${receipt.warehouseId ?? null}::text, w.id) as warehouse_id
      from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as n (id text, sku_id text, quantity bigint)
      left join warehouses w on w.shop_id = ${shopId} and w.is_default
    ), changed as (
      insert into stock as t (shop_id, sku_id, warehouse_id, quantity)
      select ${shopId}, i.sku_id, i.warehouse_id, sum(i.quantity)
      from item i
      group by i.sku_id, i.warehouse_id
      order by i.sku_id
      on conflict (shop_id, sku_id, warehouse_id) do update set quantity = t.quantity + excluded.quantity
      returning t.sku_id, t.warehouse_id, t.quantity, t.reserved
    ), moved as (
      insert into stock_movements (shop_id, id, sku_id, warehouse_id, type, quantity, note, created_at)
      select ${shopId}, i.id, i.sku_id, i.warehouse_id, 'receive', i.quantity, ${receipt.note ?? ''}, ${receipt.now}
      from item i
    ), received as (
      select s.product_id, sum(i.quantity) as quantity
      from item i
      join skus s on s.shop_id = ${shopId} and s.id = i.sku_id
      where (select count(*) from changed) > 0
      group by s.product_id
    ), locked as materialized (
      select t.product_id, r.quantity
      from received r
      join product_stock t on t.shop_id = ${shopId} and t.product_id = r.product_id
      order by t.product_id
      for no key update of t
    ), total as (
      update product_stock t
      set total_quantity = t.total_quantity + l.quantity
      from locked l
      where t.shop_id = ${shopId} and t.product_id = l.product_id
    ), ${addShopEvent('stock_event', shopId, { type: 'stock.changed', data: receivedData, from, now: receipt.now })}
    select sku_id as "skuId", quantity
    from changed
    order by sku_id`.execute(trx)
  return rows
}
