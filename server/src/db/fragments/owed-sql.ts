import { sql } from 'kysely'

/** Of an order `o`: whether something is still owed. One that its till calls paid is not (G-42). */
export const isOwed = sql`o.status <> 'cancelled' and not o.is_paid and o.price > o.paid_amount`
