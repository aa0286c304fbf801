import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { isOwed, owedFor } from '../../../db/fragments/owed-sql.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { openShiftOf } from '../../shifts/sql.ts'
import type { LockedOrder } from '../sql/change.ts'

/** The most orders over which one payment is spread. */
const MOST_ORDERS = 500

/**
 * The unpaid orders of a locked customer, the oldest first, locked until the transaction ends; `isCut` if there are more than one
 * payment can cover. Index orders_owed_by_customer.
 */
export async function lockOwedOrders(
  trx: Db,
  shopId: ObjectId,
  customerId: ObjectId,
): Promise<{ owed: LockedOrder[]; isCut: boolean }> {
  const { rows } = await sql<LockedOrder>`
    select o.id, o.version, o.code, o.status, o.price, o.paid_amount, o.returned_amount, o.is_paid, o.payment_method
    from orders o
    where o.shop_id = ${shopId} and o.customer_id = ${customerId} and ${isOwed}
    order by o.created_at, o.id
    limit ${MOST_ORDERS + 1}
    for no key update`.execute(trx)
  return { owed: rows.slice(0, MOST_ORDERS), isCut: rows.length > MOST_ORDERS }
}

export type OwedJson = {
  id: ObjectId
  code: string
  price: number
  paidAmount: number
  /** What is due for it, in đồng. */
  left: number
  /** ISO 8601 with an offset. */
  createdAt: string
}

/** A debt from before the first order, in đồng (G-124). */
export type OpeningJson = { amount: number; paidAmount: number; left: number }

/** What a customer owes in total, in đồng, the number of unpaid orders, and the oldest of these. */
export type DebtRow = { debt: number; opening: OpeningJson | null; orders: number; oldest: OwedJson[] }

/** Undefined when there is no such customer. One statement; index orders_owed_by_customer. */
export async function findDebt(
  db: Db,
  shopId: ObjectId,
  customerId: ObjectId,
  limit: number,
): Promise<DebtRow | undefined> {
  const { rows } = await sql<DebtRow>`
    with owed as materialized (
      select o.id, o.code, o.price, o.paid_amount, ${owedFor} as owed_for, o.created_at
      from orders o
      where o.shop_id = ${shopId} and o.customer_id = ${customerId} and ${isOwed}
    )
    select (select coalesce(sum(owed_for), 0)::bigint from owed) + coalesce(d.amount - d.paid_amount, 0) as debt,
      case when d.amount > 0 then json_build_object('amount', d.amount, 'paidAmount', d.paid_amount,
        'left', d.amount - d.paid_amount) end as opening,
      (select count(*) from owed) as orders, (
        select coalesce(json_agg(json_build_object('id', first.id, 'code', first.code, 'price', first.price,
          'paidAmount', first.paid_amount, 'left', first.owed_for, 'createdAt', first.created_at) order by first.created_at, first.id), '[]')
        from (select * from owed order by created_at, id limit ${limit}) as first
      ) as oldest
    from customers c
    left join opening_debts d on d.shop_id = c.shop_id and d.customer_id = c.id
    where c.shop_id = ${shopId} and c.id = ${customerId}`.execute(db)
  return rows[0]
}

/**
 * Pays a part of the opening debt of a locked customer, with a payment record in the open shift of whoever took it. One statement.
 */
export async function payOpeningDebt(
  trx: Db,
  shopId: ObjectId,
  part: { id: ObjectId; customerId: ObjectId; amount: number },
  given: { method: string; note: string; by: ObjectId | null; debtPaymentId: ObjectId; now: Date },
): Promise<void> {
  await sql`
    with shift as materialized (${openShiftOf(shopId, given.by, undefined)}
    ), recorded as (
      insert into gateway_payments (shop_id, id, amount, method, note, taken_by, shift_id, debt_payment_id, created_at)
      values (${shopId}, ${part.id}, ${part.amount}, ${given.method}, ${given.note}, ${given.by},
        (select id from shift), ${given.debtPaymentId}, ${given.now})
    )
    update opening_debts
    set paid_amount = paid_amount + ${part.amount}::bigint
    where shop_id = ${shopId} and customer_id = ${part.customerId}`.execute(trx)
}

/** One payment of a customer: what the opening debt got of it, and what each order got, the oldest order first. */
export type DebtPaymentRow = {
  id: ObjectId
  amount: number
  method: string
  note: string
  created_at: Date
  opening: number
  parts: { orderId: ObjectId; code: string; amount: number }[]
}

/** @throws the unique violation of `debt_payments_pkey` for an id in use. */
export async function insertDebtPayment(
  trx: Db,
  shopId: ObjectId,
  payment: {
    id: ObjectId
    customerId: ObjectId
    amount: number
    method: string
    note: string
    by: ObjectId | null
    now: Date
  },
): Promise<void> {
  await sql`
    insert into debt_payments (shop_id, id, customer_id, amount, method, note, taken_by, created_at)
    values (${shopId}, ${payment.id}, ${payment.customerId}, ${payment.amount}, ${payment.method}, ${payment.note},
      ${payment.by}, ${payment.now})`.execute(trx)
}

/** Indexes debt_payments_pkey and gateway_payments_by_debt_payment. */
export async function findDebtPayment(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
): Promise<DebtPaymentRow | undefined> {
  const { rows } = await sql<DebtPaymentRow>`
    select d.id, d.amount, d.method, d.note, d.created_at, (
      select coalesce(json_agg(json_build_object('orderId', o.id, 'code', o.code, 'amount', g.amount)
        order by o.created_at, o.id), '[]')
      from gateway_payments g
      join orders o on o.shop_id = g.shop_id and o.id = g.order_id
      where g.shop_id = d.shop_id and g.debt_payment_id = d.id
    ) as parts, (
      select coalesce(sum(g.amount), 0)::bigint
      from gateway_payments g
      where g.shop_id = d.shop_id and g.debt_payment_id = d.id and g.order_id is null
    ) as opening
    from debt_payments d
    where d.shop_id = ${shopId} and d.id = ${id}`.execute(db)
  return rows[0]
}
