import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { whoOf } from '../../../db/fragments/who-sql.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Who } from '../../../lib/who.ts'
import { type ChangedLevel, changedLevels } from '../sql/change.ts'
import type { ReturnLine, SoldLine } from './rules.ts'

/** The SKUs of an order's lines, and the warehouse that a return names or, without one, the default; null if there is none. */
export type ReturnParties = {
  warehouseId: ObjectId | null
  items: { id: ObjectId; skuId: ObjectId; productId: ObjectId }[]
}

/** Undefined when there is no such order. An order's lines keep their SKUs, so this is read without a lock. One statement. */
export async function findReturnParties(
  db: Db,
  shopId: ObjectId,
  orderId: ObjectId,
  warehouseId: ObjectId | undefined,
): Promise<ReturnParties | undefined> {
  const { rows } = await sql<ReturnParties>`
    select (
      select id
      from warehouses
      where shop_id = ${shopId} and ${warehouseId === undefined ? sql`is_default` : sql`id = ${warehouseId}`}
    ) as "warehouseId", (
      select coalesce(json_agg(json_build_object('id', i.id, 'skuId', i.sku_id, 'productId', s.product_id)), '[]')
      from order_items i
      join skus s on s.shop_id = i.shop_id and s.id = i.sku_id
      where i.shop_id = o.shop_id and i.order_id = o.id
    ) as items
    from orders o
    where o.shop_id = ${shopId} and o.id = ${orderId}`.execute(db)
  return rows[0]
}

/**
 * Locks the totals of products until the transaction ends: after their stock and before the order, in the lock order of all writers.
 */
export async function lockTotals(trx: Db, shopId: ObjectId, productIds: ObjectId[]): Promise<void> {
  await sql`
    select product_id
    from product_stock
    where shop_id = ${shopId} and product_id = any (${productIds}::text[])
    order by product_id
    for no key update`.execute(trx)
}

/** The lines of an order and its amounts, in đồng. */
export type SoldOrder = {
  price: number
  shippingFee: number
  returnedAmount: number
  lines: SoldLine[]
}

/** The columns of a {@link SoldOrder}; the order is `o`. */
const soldOrder = sql`o.price, o.shipping_fee as "shippingFee", o.returned_amount as "returnedAmount", (
      select coalesce(json_agg(json_build_object('id', i.id, 'name', i.name, 'quantity', i.quantity, 'price', i.price,
        'discount', i.discount, 'returnedQuantity', i.returned_quantity, 'returnedAmount', i.returned_amount)
        order by i.position), '[]')
      from order_items i
      where i.shop_id = o.shop_id and i.order_id = o.id
    ) as lines`

/** An order that exists, as it was sold, and how many returns it has. One statement. */
export async function findSold(
  db: Db,
  shopId: ObjectId,
  orderId: ObjectId,
): Promise<SoldOrder & { returnCount: number }> {
  const { rows } = await sql<SoldOrder & { returnCount: number }>`
    select ${soldOrder}, (
      select count(*)::integer
      from order_returns r
      where r.shop_id = o.shop_id and r.order_id = o.id
    ) as "returnCount"
    from orders o
    where o.shop_id = ${shopId} and o.id = ${orderId}`.execute(db)
  return rows[0]!
}

/** A return to write. `warehouseId` is where its pieces are put back into stock; null: they are not. Money in đồng. */
export type ReturnDraft = {
  id: ObjectId
  orderId: ObjectId
  lines: (ReturnLine & { skuId: ObjectId })[]
  amount: number
  fee: number
  refundAmount: number
  refundMethod: string
  warehouseId: ObjectId | null
  note: string
  by: ObjectId | null
  now: Date
}

/**
 * Writes a return, and with it what was returned of the order and its lines, and the stock. The order must be locked, and before it,
 * if the pieces are put back, their stock and totals. One statement.
 * @returns the stock afterwards, by SKU.
 * @throws the unique violation of `order_returns_pkey` for an id in use.
 */
export async function insertReturn(trx: Db, shopId: ObjectId, draft: ReturnDraft): Promise<ChangedLevel[]> {
  const { id, orderId, amount, warehouseId, note, by, now } = draft
  const lines = draft.lines.map((line) => ({
    order_item_id: line.orderItemId,
    sku_id: line.skuId,
    quantity: line.quantity,
    amount: line.amount,
  }))
  const { rows } = await sql<ChangedLevel>`
    with line as materialized (
      select *
      from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
        as n (order_item_id text, sku_id text, quantity integer, amount bigint)
    ), piece as materialized (
      select sku_id, sum(quantity)::bigint as n
      from line
      where ${warehouseId}::text is not null
      group by sku_id
    ), returned as (
      insert into order_returns
        (shop_id, id, order_id, amount, fee, refund_amount, refund_method, warehouse_id, note, by_id, created_at)
      values (${shopId}, ${id}, ${orderId}, ${amount}, ${draft.fee}, ${draft.refundAmount}, ${draft.refundMethod},
        ${warehouseId}, ${note}, ${by}, ${now})
    ), return_line as (
      insert into order_return_lines (shop_id, return_id, order_item_id, quantity, amount)
      select ${shopId}, ${id}, order_item_id, quantity, amount
      from line
    ), item as (
      update order_items i
      set returned_quantity = i.returned_quantity + line.quantity, returned_amount = i.returned_amount + line.amount
      from line
      where i.shop_id = ${shopId} and i.id = line.order_item_id
    ), lowered as (
      update orders
      set returned_amount = returned_amount + ${amount}
      where shop_id = ${shopId} and id = ${orderId}
    ), noted as (
      insert into order_events (shop_id, order_id, kind, detail, by_id, created_at)
      select ${shopId}, ${orderId}, 'return', jsonb_build_object('returnId', ${id}::text, 'amount', ${amount}::bigint,
        'quantity', sum(quantity), 'note', ${note}::text), ${by}, ${now}::timestamptz
      from line
    ), moved as (
      insert into stock_movements (shop_id, id, sku_id, warehouse_id, type, quantity, order_id, created_at)
      select ${shopId}, new_object_id(${now}::timestamptz), sku_id, ${warehouseId}, 'return', n, ${orderId}, ${now}::timestamptz
      from piece
    ), changed as (
      update stock t
      set quantity = t.quantity + piece.n
      from piece
      where t.shop_id = ${shopId} and t.sku_id = piece.sku_id and t.warehouse_id = ${warehouseId}
      returning t.sku_id, t.warehouse_id, t.quantity, t.reserved
    ), total as (
      update product_stock t
      set total_quantity = t.total_quantity + part.n
      from (
        select s.product_id, sum(piece.n)::bigint as n
        from piece
        join skus s on s.shop_id = ${shopId} and s.id = piece.sku_id
        group by s.product_id
      ) as part
      where t.shop_id = ${shopId} and t.product_id = part.product_id
    )
    ${changedLevels(shopId)}`.execute(trx)
  return rows
}

/** A return with its lines, as they were booked. */
export type ReturnRow = {
  id: ObjectId
  orderId: ObjectId
  amount: number
  fee: number
  refundAmount: number
  refundMethod: string
  warehouseId: ObjectId | null
  note: string
  by: Who | null
  /** ISO 8601 with an offset. */
  createdAt: string
  lines: ReturnLine[]
}

/** A {@link ReturnRow} as JSON; the return is `r`. */
const returnJson = sql`json_build_object('id', r.id, 'orderId', r.order_id, 'amount', r.amount, 'fee', r.fee,
      'refundAmount', r.refund_amount, 'refundMethod', r.refund_method, 'warehouseId', r.warehouse_id, 'note', r.note,
      'by', ${whoOf(sql`r.shop_id`, sql`r.by_id`)}, 'createdAt', r.created_at, 'lines', (
        select json_agg(json_build_object('orderItemId', l.order_item_id, 'quantity', l.quantity, 'amount', l.amount)
          order by i.position)
        from order_return_lines l
        join order_items i on i.shop_id = l.shop_id and i.id = l.order_item_id
        where l.shop_id = r.shop_id and l.return_id = r.id
      ))`

export async function findReturn(db: Db, shopId: ObjectId, id: ObjectId): Promise<ReturnRow | undefined> {
  const { rows } = await sql<{ record: ReturnRow }>`
    select ${returnJson} as record
    from order_returns r
    where r.shop_id = ${shopId} and r.id = ${id}`.execute(db)
  return rows[0]?.record
}

/** What was returned of an order, oldest first, and its lines. */
export type ReturnsOfOrder = SoldOrder & { returns: ReturnRow[] }

/**
 * An order with its first `limit` returns; undefined when there is no such order. Index order_returns_by_order. One statement, so that
 * the lines and the returns agree.
 */
export async function findReturns(
  db: Db,
  shopId: ObjectId,
  orderId: ObjectId,
  limit: number,
): Promise<ReturnsOfOrder | undefined> {
  const { rows } = await sql<ReturnsOfOrder>`
    select ${soldOrder}, (
      select coalesce(json_agg(first.record order by first.created_at, first.id), '[]')
      from (
        select r.id, r.created_at, ${returnJson} as record
        from order_returns r
        where r.shop_id = o.shop_id and r.order_id = o.id
        order by r.created_at, r.id
        limit ${limit}
      ) as first
    ) as returns
    from orders o
    where o.shop_id = ${shopId} and o.id = ${orderId}`.execute(db)
  return rows[0]
}
