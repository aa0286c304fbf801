import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Period } from '../reports/period.ts'
import { type LowStock, lowStock, type TopGoods, topGoods } from './goods-sql.ts'
import { type Owed, owedOrders } from './owed-sql.ts'
import type { Comparison } from './rules.ts'
import {
  comparedSales,
  type HourRow,
  type Sales,
  type SellerRow,
  salesByHour,
  salesBySeller,
} from './sales-sql.ts'

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
  compared: Sales[]
  hours: HourRow[]
  sellers: SellerRow[]
  low_stock: LowStock
  top_goods: TopGoods
  owed: Owed
  spent_in_week: number
  open_orders: Record<string, number>
  waiting_templates: number
  rejected_templates: number
  balance: number
  held: number
  low_below: number | null
  disabled_webhooks: number
  has_products: boolean
  has_stock: boolean
  has_account: boolean
  has_template: boolean
  has_money: boolean
  has_sale: boolean
  has_message: boolean
}

/** The input of the console's home; `lastDay` is the day whose hours are shown. */
export type Asked = { period: Period; comparisons: Comparison[]; lastDay: string; now: Date }

/**
 * A shop's overview: each day of a period in its time zone, oldest first and without gaps; its sales compared with
 * earlier ones, by hour and by seller; its goods; what needs attention; which of the first steps are done. One
 * statement, so all numbers are from one moment. It reads counters, the first rows of indexes and a limited number of
 * orders, so it costs the same in a shop of any size.
 */
export async function findOverview(db: Db, shopId: ObjectId, asked: Asked): Promise<OverviewRow> {
  const { period, comparisons, lastDay, now } = asked
  const { rows } = await sql<OverviewRow>`
    with shown as (
      select json_agg(json_build_object(
        'day', asked.day::date, 'orders', coalesce(d.orders, 0), 'revenue', coalesce(d.revenue, 0),
        'accepted', coalesce(d.accepted, 0), 'delivered', coalesce(d.delivered, 0),
        'failed', coalesce(d.failed, 0), 'spend', coalesce(d.spend, 0)
      ) order by asked.day) as days
      from generate_series(${period.firstDay}::date, ${period.firstDay}::date + ${period.days - 1}::integer, '1 day') as asked (day)
      left join shop_days d on d.shop_id = ${shopId} and d.day = asked.day::date
    ), week as (
      select coalesce(sum(spend), 0)::bigint as spent
      from shop_days
      where shop_id = ${shopId} and day >= shop_day(${now}) - 7 and day < shop_day(${now})
    ), ${comparedSales(shopId, comparisons)}, ${salesByHour(shopId, lastDay)}, ${salesBySeller(shopId, period)},
    ${lowStock(shopId)}, ${topGoods(shopId, period)}, ${owedOrders(shopId)}, under_review as (
      select count(*) filter (where status = 'PENDING_REVIEW') as waiting,
        count(*) filter (where status = 'REJECTED') as rejected
      from templates
      where shop_id = ${shopId} and status in ('PENDING_REVIEW', 'REJECTED') and deleted_at is null
    ), webhooks as (
      select count(*) as disabled
      from webhook_endpoints
      where shop_id = ${shopId} and disabled_reason in ('failing', 'gone') and deleted_at is null
    ), orders_waiting as (
      select coalesce(json_object_agg(status, n), '{}') as open
      from (
        select status, sum(n)::bigint as n
        from order_counts
        where shop_id = ${shopId} and day = '-infinity'
          and status in ('pending', 'confirmed', 'processing', 'ready_to_ship', 'shipping')
        group by status
      ) as counted
    )
    select shown.days, compared.compared, hours.hours, sellers.sellers, low_stock.low_stock, top_goods.top_goods,
      owed.owed,
      week.spent as spent_in_week, under_review.waiting as waiting_templates, under_review.rejected as rejected_templates,
      w.balance, w.held, w.low_below, webhooks.disabled as disabled_webhooks, orders_waiting.open as open_orders,
      exists (select from product_counts where shop_id = ${shopId} and n > 0) as has_products,
      exists (select from inventory_entries where shop_id = ${shopId}) as has_stock,
      exists (select from official_accounts where shop_id = ${shopId} and disconnected_at is null) as has_account,
      exists (select from templates where shop_id = ${shopId} and status = 'ENABLE' and deleted_at is null) as has_template,
      exists (
        select from wallet_entries where shop_id = ${shopId} and type = 'top_up' order by created_at, id limit 1
      ) as has_money,
      exists (select from order_counts where shop_id = ${shopId} and n > 0) as has_sale,
      exists (select from message_counts where shop_id = ${shopId} and n > 0) as has_message
    from wallets w, shown, week, compared, hours, sellers, low_stock, top_goods, owed, under_review, webhooks,
      orders_waiting
    where w.shop_id = ${shopId}`.execute(db)
  return rows[0]!
}
