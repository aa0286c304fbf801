import { sql } from 'kysely'

/** Whether something is still owed for the order `o`. Nothing is owed for an order that the till marked as paid (G-42). */
export const isOwed = sql`o.status <> 'cancelled' and not o.is_paid and o.price > o.paid_amount`
