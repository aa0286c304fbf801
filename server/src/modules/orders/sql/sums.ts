import { sql } from 'kysely'
import { type Db, planned } from '../../../db/client.ts'
import { isOwed, orderNet, owedFor } from '../../../db/fragments/owed-sql.ts'
import { countLimit } from '../../../lib/lists/total.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { every, type OrderFilter, ofAnyStatus } from './list.ts'

/** Of the orders that were added up: their number, and in đồng the sum of their prices and of what is still owed. */
export type OrderSums = { n: number; amount: number; owed: number }

/**
 * Adds up the orders of a filter, at most one more than a capped total counts (G-65, G-122). One statement. It walks an index of the
 * shop in the order of creation, because otherwise PostgreSQL may read the whole table until it has found enough; what a search
 * or a product finds has an index of its own.
 */
export async function sumOrders(db: Db, shopId: ObjectId, filter: OrderFilter): Promise<OrderSums> {
  const { status, patterns, productId } = filter
  const isFound = patterns.length > 0 || productId !== undefined
  const { rows } = await sql<{ sums: OrderSums }>`${isFound ? planned : sql``}
    with matches as materialized (
      select ${orderNet} as net, case when ${isOwed} then ${owedFor} else 0 end as owed
      from orders o
      where ${every([ofAnyStatus(shopId, filter), status === undefined ? undefined : sql`o.status = ${status}`])}
      ${isFound ? sql`` : sql`order by o.created_at, o.id`}
      limit ${countLimit('capped')}
    )
    select json_build_object(
      'n', count(*), 'amount', coalesce(sum(net), 0), 'owed', coalesce(sum(owed), 0)
    ) as sums
    from matches`.execute(db)
  return rows[0]!.sums
}
