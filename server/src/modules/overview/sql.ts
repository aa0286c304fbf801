import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'

export type DayRow = {
  day: string
  orders: number
  revenue: number
  accepted: number
  delivered: number
  failed: number
  spend: number
}

export type OverviewRow = {
  days: DayRow[]
  waiting_templates: number
  rejected_templates: number
  balance: number
  held: number
  low_below: number | null
  disabled_webhooks: number
  pending_orders: number
  has_products: boolean
  has_stock: boolean
  has_account: boolean
  has_template: boolean
  has_money: boolean
  has_sale: boolean
}

/**
 * What a shop did on each of the last `days` days of its zone, oldest first and without gaps, what needs attention, and
 * which of its first steps it has done. One statement; shop_days has a row for each day, the counters one for each kind
 * of order, and each step is found by the first row of an index.
 */
export async function findOverview(
  db: Db,
  shopId: ObjectId,
  at: { now: Date; days: number },
): Promise<OverviewRow> {
  const { rows } = await sql<OverviewRow>`
    with shown as (
      select json_agg(json_build_object(
        'day', asked.day::date, 'orders', coalesce(d.orders, 0), 'revenue', coalesce(d.revenue, 0),
        'accepted', coalesce(d.accepted, 0), 'delivered', coalesce(d.delivered, 0),
        'failed', coalesce(d.failed, 0), 'spend', coalesce(d.spend, 0)
      ) order by asked.day) as days
      from generate_series(shop_day(${at.now}) - (${at.days} - 1)::integer, shop_day(${at.now}), '1 day') as asked (day)
      left join shop_days d on d.shop_id = ${shopId} and d.day = asked.day::date
    ), under_review as (
      select count(*) filter (where status = 'PENDING_REVIEW') as waiting,
        count(*) filter (where status = 'REJECTED') as rejected
      from templates
      where shop_id = ${shopId} and status in ('PENDING_REVIEW', 'REJECTED') and deleted_at is null
    ), webhooks as (
      select count(*) as disabled
      from webhook_endpoints
      where shop_id = ${shopId} and disabled_reason in ('failing', 'gone') and deleted_at is null
    ), orders_waiting as (
      select coalesce(sum(n), 0)::bigint as pending
      from order_counts
      where shop_id = ${shopId} and day = '-infinity' and status = 'pending'
    )
    select shown.days, under_review.waiting as waiting_templates, under_review.rejected as rejected_templates,
      w.balance, w.held, w.low_below, webhooks.disabled as disabled_webhooks, orders_waiting.pending as pending_orders,
      exists (select from product_counts where shop_id = ${shopId} and n > 0) as has_products,
      exists (select from stock_movements where shop_id = ${shopId}) as has_stock,
      exists (select from official_accounts where shop_id = ${shopId}) as has_account,
      exists (select from templates where shop_id = ${shopId} and status = 'ENABLE' and deleted_at is null) as has_template,
      exists (select from wallet_entries where shop_id = ${shopId}) as has_money,
      exists (select from order_counts where shop_id = ${shopId} and n > 0) as has_sale
    from wallets w, shown, under_review, webhooks, orders_waiting
    where w.shop_id = ${shopId}`.execute(db)
  return rows[0]!
}
