import { type RawBuilder, sql } from 'kysely'
import type { ObjectId } from '../../lib/object-id.ts'

/** What the order `o` costs, in đồng: its price less what was returned (G-123). */
export const orderNet = sql`o.price - o.returned_amount`

/** Whether something is still owed for the order `o`. Nothing is owed for an order that the till marked as paid (G-42). */
export const isOwed = sql`o.status <> 'cancelled' and not o.is_paid and ${orderNet} > o.paid_amount`

/** What is owed for the order `o`, in đồng, if {@link isOwed} holds. */
export const owedFor = sql`(${orderNet} - o.paid_amount)`

/** What a customer owes, in đồng: for orders (G-46) and from before them (G-124). Indexes orders_owed_by_customer, opening_debts_owed. */
export function debtOf(shopId: ObjectId, customerId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`((
          select coalesce(sum(${owedFor}), 0)::bigint
          from orders o
          where o.shop_id = ${shopId} and o.customer_id = ${customerId} and ${isOwed}
        ) + coalesce((
          select d.amount - d.paid_amount
          from opening_debts d
          where d.shop_id = ${shopId} and d.customer_id = ${customerId} and d.amount > d.paid_amount
        ), 0))`
}
