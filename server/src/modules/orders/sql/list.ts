import { type RawBuilder, sql } from 'kysely'
import { type Db, planned } from '../../../db/client.ts'
import { isCountedDay, isInEdge } from '../../../db/count-plan-sql.ts'
import { pageOfRows } from '../../../db/far-page-sql.ts'
import type { CountEdge, CountPlan } from '../../../lib/count-plan.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { FEW_MATCHES, matchesLookedFor, type TotalMode } from '../../../lib/total.ts'
import type { SearchPattern } from '../../customers/rules.ts'
import { fits } from '../../customers/sql.ts'
import { customerOfOrder, itemsOfOrder, type OrderWithItems, orderColumns } from './read.ts'

/** E12's filters; `patterns` are LIKE patterns for the search column, all of which must fit. */
export type OrderFilter = {
  status: string | undefined
  start: Date | undefined
  end: Date | undefined
  customerId: ObjectId | undefined
  paymentMethod: string | undefined
  platform: string | undefined
  patterns: SearchPattern[]
}

/**
 * `counts` has the orders of each status under all filters but `status`; a status without any may be missing. `isCut`: a
 * search found more orders than were counted.
 */
export type OrderPage = { orders: OrderWithItems[]; counts: Record<string, number>; isCut: boolean }

/**
 * One page of a shop's orders, newest first, and how many there are of each status (E12, G-44). One statement.
 *
 * The page's ids are found first, in an index of the filtered column, and only these orders are then read
 * with their items. The counts come from the daily counters as `plan` says; a customer's orders and a
 * search's matches are counted themselves, those of a search as `mode` says (G-65).
 */
export async function listOrders(
  db: Db,
  shopId: ObjectId,
  filter: OrderFilter,
  plan: CountPlan,
  page: { limit: number; offset: number },
  mode: TotalMode,
): Promise<OrderPage> {
  const isNarrow = filter.customerId !== undefined || filter.patterns.length > 0
  const parts = isNarrow
    ? narrowPage(shopId, filter, page, matchesLookedFor(mode))
    : sql`with ${indexedPage(shopId, filter, plan, page)}, total as (select false as is_cut)`
  const { rows } = await sql<OrderPage>`
    ${parts}
    select (select is_cut from total) as "isCut", coalesce((select json_object_agg(status, n) from counts), '{}') as counts, coalesce((
      select json_agg(to_json(listed) order by ids.created_at desc, ids.id desc)
      from ids
      cross join lateral (
        select ${orderColumns}, ${itemsOfOrder} as items, ${customerOfOrder} as customer
        from orders o
        where o.shop_id = ${shopId} and o.id = ids.id
        limit 1
      ) as listed
    ), '[]') as orders`.execute(db)
  return rows[0]!
}

type Sql = RawBuilder<unknown>

/**
 * The statement's beginning with `ids`, `counts` and `total` where all are read from the filter's own matches, of which at
 * most `most` are looked for. Few are sorted; of many the page is found by walking the orders from the newest on: of the
 * two arms one is not run.
 */
function narrowPage(
  shopId: ObjectId,
  filter: OrderFilter,
  page: { limit: number; offset: number },
  most: number | undefined,
): Sql {
  const conditions = every([
    sql`o.shop_id = ${shopId}`,
    ...ownColumns(filter),
    ...period(filter),
    filter.customerId === undefined ? undefined : sql`o.customer_id = ${filter.customerId}`,
    ...filter.patterns.map((pattern) => fits(sql`o.search`, pattern)),
  ])
  const status = filter.status === undefined ? sql`` : sql`and status = ${filter.status}`
  const isFew = sql`(select n <= ${sql.lit(FEW_MATCHES)} and not is_cut from total)`
  const inOrder = sql`order by created_at desc, id desc
        limit ${page.limit}
        offset ${page.offset}`
  return sql`${filter.patterns.length === 0 ? sql`` : planned}
    with matches as materialized (
      select o.id, o.created_at, o.status
      from orders o
      where ${conditions}
      ${most === undefined ? sql`` : sql`limit ${most}`}
    ), total as materialized (
      select count(*) as n, ${most === undefined ? sql`false` : sql`count(*) = ${most}`} as is_cut from matches
    ), ids as materialized (
      (
        select id, created_at
        from matches
        where ${isFew} ${status}
        ${inOrder}
      ) union all (
        select id, created_at
        from orders o
        where ${conditions} and not ${isFew} ${status}
        ${inOrder}
      )
    ), counts as (
      select status, count(*) as n
      from matches
      group by status
    )`
}

/** The CTEs `ids` and `counts` where the one walks an index and the other adds daily counters up. */
function indexedPage(
  shopId: ObjectId,
  filter: OrderFilter,
  plan: CountPlan,
  page: { limit: number; offset: number },
): Sql {
  const parts = [
    ...(plan.days === undefined ? [] : [wholeDays(shopId, filter, plan.days)]),
    ...plan.edges.map((edge) => partOfDay(shopId, filter, edge)),
  ]
  const none = sql`select '' as status, 0 as n where false`
  const rows = sql`
      select o.id, o.created_at
      from orders o
      where ${every([
        sql`o.shop_id = ${shopId}`,
        filter.status === undefined ? undefined : sql`o.status = ${filter.status}`,
        ...ownColumns(filter),
        ...period(filter),
      ])}`
  const status = filter.status === undefined ? sql`` : sql`where status = ${filter.status}`
  const order = {
    forward: sql`o.created_at desc, o.id desc`,
    backward: sql`o.created_at, o.id`,
  }
  return sql`counts as materialized (
      select status, sum(n)::bigint as n
      from (${parts.length === 0 ? none : sql.join(parts, sql` union all `)}) as parts
      group by status
    ), listed as materialized (
      select coalesce(sum(n), 0)::bigint as n from counts ${status}
    ), ids as materialized (
      ${pageOfRows(rows, order, page, sql`(select n from listed)`)}
    )`
}

/** The counters of whole days; without any bound, the one counter of all days. */
function wholeDays(shopId: ObjectId, filter: OrderFilter, days: NonNullable<CountPlan['days']>): Sql {
  return sql`
      select o.status, o.n
      from order_counts o
      where ${every([sql`o.shop_id = ${shopId}`, isCountedDay(sql`o.day`, days), ...ownColumns(filter)])}`
}

function partOfDay(shopId: ObjectId, filter: OrderFilter, edge: CountEdge): Sql {
  return sql`
      select o.status, ${edge.sign < 0 ? sql`-count(*)` : sql`count(*)`} as n
      from orders o
      where ${every([sql`o.shop_id = ${shopId}`, ...ownColumns(filter), isInEdge(sql`o.created_at`, edge)])}
      group by o.status`
}

/** The filters on columns that orders and their counters both have. */
export function ownColumns(filter: OrderFilter): (Sql | undefined)[] {
  return [
    filter.platform === undefined ? undefined : sql`o.platform = ${filter.platform}`,
    filter.paymentMethod === undefined ? undefined : sql`o.payment_method = ${filter.paymentMethod}`,
  ]
}

/** E12's bounds of the creation. */
export function period({ start, end }: OrderFilter): (Sql | undefined)[] {
  return [
    start === undefined ? undefined : sql`o.created_at >= ${start.toISOString()}::timestamptz`,
    end === undefined ? undefined : sql`o.created_at <= ${end.toISOString()}::timestamptz`,
  ]
}

/** All of the conditions; undefined is none. */
export function every(conditions: (Sql | undefined)[]): Sql {
  return sql.join(
    conditions.filter((condition) => condition !== undefined),
    sql` and `,
  )
}
