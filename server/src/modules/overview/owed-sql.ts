import { type RawBuilder, sql } from 'kysely'
import { isOwed, owedFor } from '../../db/fragments/owed-sql.ts'
import { TOTAL_CAP } from '../../lib/lists/total.ts'
import type { ObjectId } from '../../lib/object-id.ts'

/** Orders for which something is still owed, counted up to one above the cap of totals; `amount` is owed for these, in đồng. */
export type Owed = { n: number; amount: number }

/** The CTE `owed`. Index orders_owed. */
export function owedOrders(shopId: ObjectId): RawBuilder<unknown> {
  return sql`owed as (
      select json_build_object('n', count(*), 'amount', coalesce(sum(owed_for), 0)) as owed
      from (
        select ${owedFor} as owed_for
        from orders o
        where o.shop_id = ${shopId} and ${isOwed}
        limit ${sql.lit(TOTAL_CAP + 1)}
      ) as found
    )`
}
