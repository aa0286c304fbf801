import { type RawBuilder, sql } from 'kysely'
import { whoOf } from '../../db/fragments/who-sql.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Who } from '../../lib/who.ts'
import type { Period } from '../reports/period.ts'
import type { Comparison } from './rules.ts'

export type Sales = { orders: number; revenue: number }
export type HourRow = Sales & { hour: number; ordersBefore: number; revenueBefore: number }
export type SellerRow = Sales & { by: Who | null; soldBy: string }

/** More sellers than a shop has; further ones would be left out. */
const MOST_SELLERS = 100

type Sql = RawBuilder<unknown>

/**
 * The CTE `compared`: the sales of each time range, in the given order. Whole days and hours come from the counters;
 * orders are read, with orders_by_created, only for the hour that is cut.
 */
export function comparedSales(shopId: ObjectId, comparisons: Comparison[]): Sql {
  const each = comparisons.map(({ firstDay, wholeDays, cut, until }, place) => {
    const cutParts =
      cut === undefined
        ? sql``
        : sql`
          union all
          select orders, revenue
          from sale_hours
          where shop_id = ${shopId} and day = ${cut.day}::date and hour < ${cut.hour}::smallint
          union all
          select 1, price - returned_amount
          from orders
          where shop_id = ${shopId} and created_at >= ${cut.from}::timestamptz and created_at <= ${until}::timestamptz
            and status <> 'cancelled'`
    return sql`
        select ${sql.lit(place)} as place, coalesce(sum(orders), 0)::bigint as orders, coalesce(sum(revenue), 0)::bigint as revenue
        from (
          select orders, revenue
          from shop_days
          where shop_id = ${shopId} and day >= ${firstDay}::date and day < ${firstDay}::date + ${wholeDays}::integer${cutParts}
        ) as parts`
  })
  return sql`compared as (
      select json_agg(json_build_object('orders', orders, 'revenue', revenue) order by place) as compared
      from (${sql.join(each, sql` union all `)}) as stretches
    )`
}

/** The CTE `hours`: the sales of each hour of a day, and of the same hour of the day before. */
export function salesByHour(shopId: ObjectId, day: string): Sql {
  return sql`hours as (
      select json_agg(json_build_object('hour', hour, 'orders', orders, 'revenue', revenue,
        'ordersBefore', orders_before, 'revenueBefore', revenue_before) order by hour) as hours
      from (
        select asked.hour,
          coalesce(sum(h.orders) filter (where h.day = ${day}::date), 0)::bigint as orders,
          coalesce(sum(h.revenue) filter (where h.day = ${day}::date), 0)::bigint as revenue,
          coalesce(sum(h.orders) filter (where h.day < ${day}::date), 0)::bigint as orders_before,
          coalesce(sum(h.revenue) filter (where h.day < ${day}::date), 0)::bigint as revenue_before
        from generate_series(0, 23) as asked (hour)
        left join sale_hours h on h.shop_id = ${shopId} and h.day between ${day}::date - 1 and ${day}::date
          and h.hour = asked.hour
        group by asked.hour
      ) as shown
    )`
}

/** The CTE `sellers`: the sales of each seller in a period, the highest first. It reads one row per hour and seller. */
export function salesBySeller(shopId: ObjectId, { firstDay, days }: Period): Sql {
  return sql`sellers as (
      select coalesce(json_agg(json_build_object('soldBy', sold_by, 'orders', orders, 'revenue', revenue,
        'by', ${whoOf(sql`${shopId}`, sql`sold_by`)}) order by revenue desc, sold_by), '[]') as sellers
      from (
        select sold_by, sum(orders)::bigint as orders, sum(revenue)::bigint as revenue
        from sale_hours
        where shop_id = ${shopId} and day >= ${firstDay}::date and day < ${firstDay}::date + ${days}::integer
        group by sold_by
        having sum(orders) > 0
        order by sum(revenue) desc, sold_by
        limit ${sql.lit(MOST_SELLERS)}
      ) as summed
    )`
}
