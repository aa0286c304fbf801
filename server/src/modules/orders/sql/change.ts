import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { openShiftOf } from '../../shifts/sql.ts'
import type { OrderStatus, PaymentStatus } from '../rules.ts'

/** The fields of an order that decide on a change; money in đồng. */
export type LockedOrder = {
  id: ObjectId
  version: number
  code: string
  status: OrderStatus
  price: number
  paid_amount: number
  /** What was returned of it (G-123). */
  returned_amount: number
  is_paid: boolean
  payment_method: string
}

/** The order, locked against other changes until the transaction ends; undefined if there is none. */
export async function lockOrder(trx: Db, shopId: ObjectId, id: ObjectId): Promise<LockedOrder | undefined> {
  const { rows } = await sql<LockedOrder>`
    select id, version, code, status, price, paid_amount, returned_amount, is_paid, payment_method
    from orders
    where shop_id = ${shopId} and id = ${id}
    for no key update`.execute(trx)
  return rows[0]
}

/**
 * Locks the stock rows that an order has reserved and the totals of their products, until the transaction ends. Must be called
 * before the order is locked, in the lock order of all writers: stock by (SKU, warehouse), then totals by product. One statement;
 * its count forces all stock to be locked before the first total.
 */
export async function lockReservedStock(trx: Db, shopId: ObjectId, orderId: ObjectId): Promise<void> {
  await sql`
    with held as materialized (
      select t.sku_id
      from order_reservations r
      join stock t on t.shop_id = r.shop_id and t.sku_id = r.sku_id and t.warehouse_id = r.warehouse_id
      where r.shop_id = ${shopId} and r.order_id = ${orderId}
      order by t.sku_id, t.warehouse_id
      for no key update of t
    )
    select t.product_id
    from product_stock t
    where t.shop_id = ${shopId} and (select count(*) from held) >= 0 and t.product_id in (
      select s.product_id
      from held
      join skus s on s.shop_id = ${shopId} and s.id = held.sku_id
    )
    order by t.product_id
    for no key update of t`.execute(trx)
}

/** Moves an order and its lines to a status; the order must be locked. One statement. */
export async function updateOrderStatus(
  trx: Db,
  shopId: ObjectId,
  id: ObjectId,
  change: { status: OrderStatus; reasonCancel: string; by: ObjectId | null; now: Date },
): Promise<void> {
  await sql`
    with moved as (
      update orders
      set status = ${change.status}, reason_cancel = ${change.reasonCancel}, version = version + 1,
        updated_at = ${change.now}::timestamptz, updated_by = ${change.by}
      where shop_id = ${shopId} and id = ${id}
    )
    update order_items
    set status = ${change.status}
    where shop_id = ${shopId} and order_id = ${id}`.execute(trx)
}

/** A SKU's stock in a warehouse after a change, in pieces. */
export type ChangedLevel = {
  productId: ObjectId
  skuId: ObjectId
  warehouseId: ObjectId
  quantity: number
  reserved: number
}

/** The {@link ChangedLevel}s of the rows of stock in the CTE `changed`. */
export function changedLevels(shopId: ObjectId): RawBuilder<ChangedLevel> {
  return sql`select s.product_id as "productId", c.sku_id as "skuId", c.warehouse_id as "warehouseId", c.quantity, c.reserved
    from changed c
    join skus s on s.shop_id = ${shopId} and s.id = c.sku_id
    order by c.sku_id, c.warehouse_id`
}

/**
 * Ends an order's reservations (G-43): `take` takes the pieces out of stock, with a movement for each, `free` makes them
 * available again. Stock and totals must be locked ({@link lockReservedStock}). One statement.
 * @returns the stock afterwards, by SKU and warehouse.
 */
export async function endReservations(
  trx: Db,
  shopId: ObjectId,
  orderId: ObjectId,
  ending: 'take' | 'free',
  now: Date,
): Promise<ChangedLevel[]> {
  const isTaken = sql.lit(ending === 'take')
  const { rows } = await sql<ChangedLevel>`
    with ended as (
      delete from order_reservations
      where shop_id = ${shopId} and order_id = ${orderId}
      returning sku_id, warehouse_id, quantity
    ), changed as (
      update stock t
      set quantity = t.quantity - case when ${isTaken} then e.quantity else 0 end, reserved = t.reserved - e.quantity
      from ended e
      where t.shop_id = ${shopId} and t.sku_id = e.sku_id and t.warehouse_id = e.warehouse_id
      returning t.sku_id, t.warehouse_id, t.quantity, t.reserved
    ), moved as (
      insert into stock_movements (shop_id, id, sku_id, warehouse_id, type, quantity, order_id, created_at)
      select ${shopId}, new_object_id(${now}::timestamptz), sku_id, warehouse_id, 'order', -quantity, ${orderId},
        ${now}::timestamptz
      from ended
      where ${isTaken}
    ), total as (
      update product_stock t
      set total_quantity = t.total_quantity - case when ${isTaken} then part.quantity else 0 end,
        reserved_quantity = t.reserved_quantity - part.quantity
      from (
        select s.product_id, sum(e.quantity)::bigint as quantity
        from ended e
        join skus s on s.shop_id = ${shopId} and s.id = e.sku_id
        group by s.product_id
      ) as part
      where t.shop_id = ${shopId} and t.product_id = part.product_id
    )
    ${changedLevels(shopId)}`.execute(trx)
  return rows
}

/** The total paid of an order, in đồng; `change` is the amount of the payment record. */
export type PaymentDraft = {
  id: ObjectId
  orderId: ObjectId
  change: number
  paidAmount: number
  isPaid: boolean
  paymentStatus: PaymentStatus
}

/** One payment, for one order or several. */
export type PaymentGiven = {
  method: string
  note: string
  by: ObjectId | null
  /** Who took it; undefined: `by`. */
  takenBy?: ObjectId | null
  /** The customer's payment over several orders of which these are parts (G-46). */
  debtPaymentId?: ObjectId
  /** When the sale was made that is paid, if that was earlier. */
  soldAt?: Date | undefined
  now: Date
}

/**
 * Writes the totals paid of locked orders, with a payment record for each change that is not 0, in the open shift of whoever
 * took the payment. The orders' own method, by which they are counted, stays unless `paymentMethod` is given. One statement.
 */
export async function updatePayments(
  trx: Db,
  shopId: ObjectId,
  payments: readonly PaymentDraft[],
  given: PaymentGiven,
  paymentMethod?: string,
): Promise<void> {
  const { by, takenBy = by } = given
  await sql`
    with paid as materialized (
      select *
      from unnest(${payments.map(({ id }) => id)}::text[], ${payments.map(({ orderId }) => orderId)}::text[],
        ${payments.map(({ change }) => change)}::bigint[], ${payments.map(({ paidAmount }) => paidAmount)}::bigint[],
        ${payments.map(({ isPaid }) => isPaid)}::boolean[],
        ${payments.map(({ paymentStatus }) => paymentStatus)}::text[]
      ) as part (id, order_id, change, paid_amount, is_paid, payment_status)
    ), shift as materialized (${openShiftOf(shopId, takenBy, given.soldAt)}
    ), recorded as (
      insert into gateway_payments
        (shop_id, id, order_id, amount, method, note, taken_by, shift_id, debt_payment_id, created_at)
      select ${shopId}, paid.id, paid.order_id, paid.change, ${given.method}, ${given.note}, ${takenBy},
        (select id from shift), ${given.debtPaymentId ?? null}, ${given.now}::timestamptz
      from paid
      where paid.change <> 0
    )
    update orders o
    set paid_amount = paid.paid_amount, is_paid = paid.is_paid, payment_status = paid.payment_status,
      payment_method = coalesce(${paymentMethod ?? null}, o.payment_method), version = o.version + 1,
      updated_at = ${given.now}, updated_by = ${by}
    from paid
    where o.shop_id = ${shopId} and o.id = paid.order_id`.execute(trx)
}

/** The change of a paid or unpaid order's own method, without a payment. */
export type MethodCorrection = Omit<PaymentGiven, 'method' | 'debtPaymentId'> & {
  from: string
  to: string
  /** For the payment records: the money leaves the one method, and comes by the other. */
  ids: { out: ObjectId; in: ObjectId }
}

/**
 * Records who corrected the method of a locked order, and moves what was paid by the old method to the new one: two payment
 * records that add up to 0, in the open shift of whoever corrects it. What was paid by other methods stays. One statement.
 */
export async function insertMethodCorrection(
  trx: Db,
  shopId: ObjectId,
  orderId: ObjectId,
  correction: MethodCorrection,
): Promise<void> {
  const { ids, from, to, note, by, takenBy = by, soldAt, now } = correction
  await sql`
    with shift as materialized (${openShiftOf(shopId, takenBy, soldAt)}
    ), noted as (
      insert into order_events (shop_id, order_id, kind, detail, by_id, created_at)
      values (${shopId}, ${orderId}, 'payment',
        jsonb_build_object('from', ${from}::text, 'to', ${to}::text, 'note', ${note}::text), ${by}, ${now}::timestamptz)
    ), paid as materialized (
      select sum(amount)::bigint as amount
      from gateway_payments
      where shop_id = ${shopId} and order_id = ${orderId} and method = ${from}
      having sum(amount) > 0
    )
    insert into gateway_payments (shop_id, id, order_id, amount, method, note, taken_by, shift_id, created_at)
    select ${shopId}, part.id, ${orderId}, part.sign * paid.amount, part.method, ${note}, ${takenBy},
      (select id from shift), ${now}::timestamptz
    from paid
    cross join (values (${ids.out}, -1, ${from}), (${ids.in}, 1, ${to})) as part (id, sign, method)`.execute(
    trx,
  )
}
