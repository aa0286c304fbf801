import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { MOST_PIECE_BYTES, rowsWithin } from '../../../db/fragments/rows-within-sql.ts'
import { whoOf } from '../../../db/fragments/who-sql.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Who } from '../../../lib/who.ts'
import { every, type OrderFilter, ofAnyStatus } from './list.ts'

/** An order as a line of the export; `cursor` is its position, money in đồng. */
export type ExportedOrder = {
  id: ObjectId
  /** The time of its creation with full precision. */
  cursor: string
  code: string
  status: string
  payment_status: string
  payment_method: string
  is_paid: boolean
  paid_amount: number
  returned_amount: number
  price: number
  origin_price: number
  discount: number
  shipping_fee: number
  untaxed_price: number | null
  platform: string
  note: string
  reason_cancel: string
  customer_id: ObjectId | null
  customer_name: string | null
  customer_phone: string | null
  /** Stays when the member or key is deleted, unlike their name. */
  sold_by: ObjectId | null
  seller: Who | null
  items: { name: string; code: string; quantity: number; price: number }[]
  /** The sum of the lines' discounts; `discount` is the order's own. */
  line_discounts: number
  /** What was paid by each method less what was given back by it, in the sequence of the first payments. */
  payments: { method: string; amount: number }[]
  created_at: Date
  updated_at: Date
  /** Whether fewer orders fit into the piece than it was to have. */
  is_cut: boolean
}

/**
 * The next `limit` orders of a filter after an order, or as many as fit, newest first (as E12 sorts). One statement, an index range
 * that starts there: a late chunk costs as much as the first, and nothing stays open between two chunks. Payments are found by the
 * index gateway_payments_by_order.
 */
export async function listOrdersAfter(
  db: Db,
  shopId: ObjectId,
  filter: OrderFilter,
  after: { cursor: string; id: ObjectId } | undefined,
  limit: number,
): Promise<ExportedOrder[]> {
  const row = sql`
      select o.id, o.created_at::text as cursor, o.code, o.status, o.payment_status, o.payment_method, o.is_paid,
        o.paid_amount, o.returned_amount, o.price, o.origin_price, o.discount, o.shipping_fee, o.untaxed_price, o.platform, o.note,
        o.reason_cancel, o.customer_id, c.full_name as customer_name, c.phone as customer_phone, o.created_at,
        o.updated_at, o.sold_by,
        ${whoOf(sql`o.shop_id`, sql`o.sold_by`)} as seller, lines.items, lines.line_discounts, (
          select coalesce(json_agg(json_build_object('method', m.method, 'amount', m.amount) order by m.since, m.method), '[]')
          from (
            select g.method, sum(g.amount) as amount, min(g.created_at) as since
            from gateway_payments g
            where g.shop_id = o.shop_id and g.order_id = o.id
            group by g.method
          ) m
        ) as payments
      from orders o
      cross join lateral (
        select coalesce(json_agg(json_build_object('name', i.name, 'code', s.code, 'quantity', i.quantity,
            'price', i.price) order by i.position), '[]') as items,
          coalesce(sum(i.discount), 0)::bigint as line_discounts
        from order_items i
        join skus s on s.shop_id = i.shop_id and s.id = i.sku_id
        where i.shop_id = o.shop_id and i.order_id = o.id
      ) lines
      left join customers c on c.shop_id = o.shop_id and c.id = o.customer_id
      where o.shop_id = ${shopId} and o.id = numbered.id
      limit 1`
  const { rows } = await sql<ExportedOrder>`
    with recursive ids as materialized (
      select o.id, o.created_at
      from orders o
      where ${every([
        ofAnyStatus(shopId, filter),
        filter.status === undefined ? undefined : sql`o.status = ${filter.status}`,
        after === undefined
          ? undefined
          : sql`(o.created_at, o.id) < (${after.cursor}::timestamptz, ${after.id})`,
      ])}
      order by o.created_at desc, o.id desc
      limit ${limit}
    ), ${rowsWithin(sql`ids.created_at desc, ids.id desc`, row, sql`octet_length(found::text)`, MOST_PIECE_BYTES)}
    select within.*, (select count(*) from ids) > max(place) over () as is_cut
    from within
    where place > 0
    order by place`.execute(db)
  return rows
}
