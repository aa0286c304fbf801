import { type RawBuilder, sql } from 'kysely'
import { type Db, planned } from '../../../db/client.ts'
import { isCountedDay, isInEdge } from '../../../db/fragments/count-plan-sql.ts'
import { type Around, pageOfRows } from '../../../db/fragments/far-page-sql.ts'
import { type KeyKind, rowsAfter } from '../../../db/fragments/keyset-sql.ts'
import { isOwed } from '../../../db/fragments/owed-sql.ts'
import { MOST_PAGE_BYTES, rowsWithin } from '../../../db/fragments/rows-within-sql.ts'
import { matchesAll } from '../../../db/fragments/search-sql.ts'
import { cursorKey, type Direction, sortKeys } from '../../../db/fragments/sort-sql.ts'
import type { CountEdge, CountPlan } from '../../../lib/lists/count-plan.ts'
import type { Keyset, Place } from '../../../lib/lists/place.ts'
import { countLimit, type Matches, type TotalMode } from '../../../lib/lists/total.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { SearchPattern } from '../../../lib/text/search-pattern.ts'
import type { SortField } from '../rules.ts'
import { listedOrder, listedOrderWithSeller } from './record-json.ts'

type Sql = RawBuilder<unknown>

/** E12's filters; `patterns` are LIKE patterns for the search column, all of which must match. */
export type OrderFilter = {
  status: string | undefined
  start: Date | undefined
  end: Date | undefined
  customerId: ObjectId | undefined
  paymentMethod: string | undefined
  /** A payment status, or `owed`: something is still owed. */
  paymentStatus: string | undefined
  platform: string | undefined
  /** Who sold it. */
  soldBy: ObjectId | undefined
  /** Whether it was recorded who sold it. */
  hasSeller: boolean | undefined
  /** Orders with any SKU of this product. */
  productId: ObjectId | undefined
  isCancelled: boolean | undefined
  patterns: SearchPattern[]
  ids?: ObjectId[] | undefined
}

/**
 * `counts` has the number of orders of each status under all filters except `status`, as far as they were counted; a status
 * without orders may be missing. `matches` is the number of orders under all filters.
 */
export type OrderPage = {
  /**
   * The page's records as JSON, separated by commas, as many as `fit` into a response; `found` is the number of the page's orders,
   * `last` the last one that fits.
   */
  orders: string
  found: number
  fit: number
  counts: Record<string, number>
  matches: Matches
  last: Keyset | null
}

/**
 * A page with so many orders before and after it is found by the day. Before that, walking costs as little as adding up the counters:
 * 180 against 157 buffers at an offset of 4,000 with the counters of 90 days.
 */
const DEEP = 3_000

export type OrderSort = { by: SortField; direction: Direction }

/** Which page of which orders is read. `withSeller` adds who sold each. */
export type OrderQuery = {
  filter: OrderFilter
  plan: CountPlan
  sort: OrderSort
  page: Place
  mode: TotalMode
  withSeller: boolean
}

/** Each column is the second one of an index of its own, `id` the third. */
const SORT_KEYS: Record<SortField, { column: Sql; kind: KeyKind }> = {
  createdAt: { column: sql.raw('created_at'), kind: 'time' },
  price: { column: sql.raw('price'), kind: 'number' },
}

/**
 * Up to this number of matches, they are fetched and sorted if the filter's index lacks the sort key; above it, the index of the
 * sort key is walked.
 */
const FEW_SORTED = 20_000

/**
 * One page of a shop's orders in the order of `sort`, and how many there are of each status (E12, G-44). One statement.
 *
 * The page's ids are found first, in an index of the filtered column, and only these orders are then read with their items. A page in
 * the middle of a long list is read from the nearer end of its day. The counts come from the daily counters as `plan` says; a
 * customer's orders and a search's matches are counted directly, those of a search as `mode` says (G-65). The index of every filter
 * is sorted by creation; for another sort key (G-113) a filter's matches are sorted if they are few, else the index of the sort key
 * is walked.
 */
export async function listOrders(
  db: Db,
  shopId: ObjectId,
  { filter, plan, sort, page, mode, withSeller }: OrderQuery,
): Promise<OrderPage> {
  const isNarrow = narrow(shopId, filter).some((one) => one !== undefined)
  const parts = isNarrow
    ? narrowPage(shopId, filter, sort, page, countLimit(mode))
    : sql`with recursive ${indexedPage(shopId, filter, plan, sort, page)}`
  const { forward } = sortKeys(sql`ids.key`, sql`ids.id`, sort.direction)
  const record = sql`
      select ${withSeller ? listedOrderWithSeller : listedOrder} as record
      from orders o
      where o.shop_id = ${shopId} and o.id = numbered.id
      limit 1`
  const { rows } = await sql<OrderPage>`
    ${parts}, ${rowsWithin(forward, record, sql`octet_length(found.record)`, MOST_PAGE_BYTES)}
    select (select json_build_object('n', n, 'isCut', is_cut) from total) as matches, coalesce((select json_object_agg(status, n) from counts), '{}') as counts, coalesce((
      select string_agg(record, ',' order by place)
      from within
    ), '') as orders, (select count(*) from ids) as found, (select max(place) from within) as fit, (
      select json_build_object('key', ${cursorKey(sql`ids.key`, SORT_KEYS[sort.by].kind)}, 'id', ids.id)
      from ids
      join numbered on numbered.id = ids.id
      where numbered.place = (select max(place) from within)
    ) as last`.execute(db)
  return rows[0]!
}

/**
 * The beginning of the statement with `ids`, `counts` and `total`, if all of them come from the filter's own matches. At most
 * `most` matches are fetched: of all statuses for the counts, and of the requested status for the page, unless the first set is
 * complete. All fetched matches are sorted, which costs less than finding them did. If they are cut off, the page is found by
 * walking the orders in sort order instead: only one of the two branches runs.
 */
function narrowPage(
  shopId: ObjectId,
  filter: OrderFilter,
  sort: OrderSort,
  page: Place,
  most: number | undefined,
): Sql {
  const { column: key, kind } = SORT_KEYS[sort.by]
  const order = sortKeys(sql`key`, sql`id`, sort.direction).forward
  const conditions = ofAnyStatus(shopId, filter)
  const status = filter.status === undefined ? sql`` : sql`and o.status = ${filter.status}`
  const limit = most === undefined ? sql`` : sql`limit ${most}`
  // Otherwise PostgreSQL, which expects many matches in any shop, may read the whole table until it has found enough.
  const inIndex =
    filter.paymentStatus === undefined || most === undefined ? sql`` : sql`order by o.created_at, o.id`
  const isCut = most === undefined ? sql`false` : sql`count(*) = ${most}`
  const areAll = sql`(select not is_cut from total)`
  const onwards = { direction: sort.direction, kind }
  const slice = sql`limit ${page.limit}
        offset ${page.offset}`
  return sql`${filter.patterns.length === 0 && filter.productId === undefined ? sql`` : planned}
    with recursive matches as materialized (
      select o.id, o.${key} as key, o.status
      from orders o
      where ${conditions}
      ${inIndex}
      ${limit}
    ), counted as materialized (
      select count(*) as n, ${isCut} as is_cut from matches
    ), listed as materialized (
      ${filter.status === undefined ? sql`select * from matches` : ofStatus(shopId, conditions, key, status, limit)}
    ), total as materialized (
      select count(*) as n, ${isCut} as is_cut from listed
    ), ids as materialized (
      (
        select id, key
        from listed
        where ${areAll}${rowsAfter(sql`key`, sql`id`, page.after, onwards)}
        order by ${order}
        ${slice}
      ) union all (
        select id, ${key} as key
        from orders o
        where ${conditions} and not ${areAll} ${status}${rowsAfter(key, sql`id`, page.after, onwards)}
        order by ${order}
        ${slice}
      )
    ), counts as (
      select status, count(*) as n
      from matches
      group by status
    )`
}

/** The matches of one status: taken from `matches` if these are complete, else fetched separately. */
function ofStatus(shopId: ObjectId, conditions: Sql, key: Sql, status: Sql, limit: Sql): Sql {
  return sql`(
        select o.id, o.key
        from matches o
        where not (select is_cut from counted) ${status}
      ) union all (
        select o.id, o.${key} as key
        from orders o
        where o.shop_id = ${shopId} and ${conditions} and (select is_cut from counted) ${status}
        ${limit}
      )`
}

/** The CTEs `ids`, which walks an index, and `counts`, which adds up daily counters. */
function indexedPage(
  shopId: ObjectId,
  filter: OrderFilter,
  plan: CountPlan,
  sort: OrderSort,
  page: Place,
): Sql {
  const parts = [
    ...(plan.days === undefined ? [] : [wholeDays(shopId, filter, plan.days)]),
    ...plan.edges.map((edge) => partOfDay(shopId, filter, edge)),
  ]
  const none = sql`select '' as status, 0 as n where false`
  const status = filter.status === undefined ? sql`` : sql`where status = ${filter.status}`
  return sql`counts as materialized (
      select status, sum(n)::bigint as n
      from (${parts.length === 0 ? none : sql.join(parts, sql` union all `)}) as parts
      group by status
    ), total as materialized (
      select coalesce(sum(n), 0)::bigint as n, false as is_cut from counts ${status}
    ),${isDeep(filter, sort, page) ? daysAround(shopId, filter, sort, page) : sql``} ids as materialized (
      ${idsInOrder(shopId, filter, sort, page)}
    )`
}

/** Whether the counters, which are of whole days, give the page's day, and looking it up is worth it. */
function isDeep({ start, end }: OrderFilter, { by }: OrderSort, { offset }: Place): boolean {
  return by === 'createdAt' && start === undefined && end === undefined && offset >= DEEP
}

/**
 * The CTEs `days`, which has the number of orders up to the end of each day in the list's order, and `around`, which has the days of
 * the page's first and last order. Both are empty for a page near the list's end.
 */
function daysAround(shopId: ObjectId, filter: OrderFilter, sort: OrderSort, { limit, offset }: Place): Sql {
  const status = filter.status === undefined ? undefined : sql`o.status = ${filter.status}`
  return sql` days as materialized (
      select o.day, sum(o.n)::bigint as n, sum(sum(o.n)) over (order by o.day ${sql.raw(sort.direction)})::bigint as upto
      from order_counts o
      where ${every([sql`o.shop_id = ${shopId}`, sql`o.day > '-infinity'`, status, ...matchesSharedColumns(filter)])}
        and (select n from total) >= ${offset}::bigint + ${sql.lit(DEEP)}
      group by o.day
    ), around as materialized (
      select first.day as first_day, first.upto - first.n as before, last.day as last_day, last.upto
      from (select * from days where upto > ${offset}::bigint order by upto limit 1) first
      cross join (select * from days where upto >= ${offset}::bigint + ${limit}::bigint order by upto limit 1) last
    ),`
}

/** The beginning and end of the days in `around`, else the list's ends; the statement must have the CTE `total`. */
function aroundPage({ direction }: OrderSort, total: Sql): Around {
  const midnight = (day: Sql) => sql`(${day})::timestamp at time zone 'UTC'`
  const beginning = (column: Sql) => midnight(sql`select ${column} from around`)
  const end = (column: Sql) => midnight(sql`select ${column} + 1 from around`)
  const [first, last] = [sql`first_day`, sql`last_day`]
  const isDescending = direction === 'desc'
  return {
    from: isDescending
      ? sql`o.created_at < coalesce(${end(first)}, 'infinity')`
      : sql`o.created_at >= coalesce(${beginning(first)}, '-infinity')`,
    before: sql`coalesce((select before from around), 0)`,
    to: isDescending
      ? sql`o.created_at >= coalesce(${beginning(last)}, '-infinity')`
      : sql`o.created_at < coalesce(${end(last)}, 'infinity')`,
    upto: sql`coalesce((select upto from around), ${total})`,
  }
}

/** The page's ids and keys; the statement must have the CTE `total`. */
function idsInOrder(shopId: ObjectId, filter: OrderFilter, sort: OrderSort, page: Place): Sql {
  const { column, kind } = SORT_KEYS[sort.by]
  const key = sql`o.${column}`
  const { direction } = sort
  const conditions = [
    filter.status === undefined ? undefined : sql`o.status = ${filter.status}`,
    ...matchesSharedColumns(filter),
    ...period(filter),
  ]
  const n = sql`(select n from total)`
  const walk = (gate?: Sql) =>
    pageOfRows(
      sql`
      select o.id, ${key} as key
      from orders o
      where ${every([sql`o.shop_id = ${shopId}`, ...conditions, gate])}${rowsAfter(key, sql`o.id`, page.after, { direction, kind })}`,
      sortKeys(key, sql`o.id`, direction),
      page,
      n,
      isDeep(filter, sort, page) ? aroundPage(sort, n) : undefined,
    )
  if (sort.by === 'createdAt' || conditions.every((one) => one === undefined)) return walk()
  return sql`(
        select id, key
        from (
          select o.id, ${key} as key
          from orders o
          where ${every([sql`o.shop_id = ${shopId}`, ...conditions])} and ${n} <= ${sql.lit(FEW_SORTED)}
          limit ${sql.lit(FEW_SORTED)}
        ) few
        where true${rowsAfter(sql`key`, sql`id`, page.after, { direction, kind })}
        order by ${sortKeys(sql`key`, sql`id`, direction).forward}
        limit ${page.limit}
        offset ${page.offset}
      ) union all (${walk(sql`${n} > ${sql.lit(FEW_SORTED)}`)}
      )`
}

/** The counters of whole days; without any bound, the one counter of all days. */
function wholeDays(shopId: ObjectId, filter: OrderFilter, days: NonNullable<CountPlan['days']>): Sql {
  return sql`
      select o.status, o.n
      from order_counts o
      where ${every([sql`o.shop_id = ${shopId}`, isCountedDay(sql`o.day`, days), ...matchesSharedColumns(filter)])}`
}

function partOfDay(shopId: ObjectId, filter: OrderFilter, edge: CountEdge): Sql {
  return sql`
      select o.status, ${edge.sign < 0 ? sql`-count(*)` : sql`count(*)`} as n
      from orders o
      where ${every([sql`o.shop_id = ${shopId}`, ...matchesSharedColumns(filter), isInEdge(sql`o.created_at`, edge)])}
      group by o.status`
}

/** Every filter except `status`. */
export function ofAnyStatus(shopId: ObjectId, filter: OrderFilter): Sql {
  return every([
    sql`o.shop_id = ${shopId}`,
    ...matchesSharedColumns(filter),
    ...period(filter),
    ...narrow(shopId, filter),
  ])
}

/** The filters on columns that orders and their counters both have. */
function matchesSharedColumns(filter: OrderFilter): (Sql | undefined)[] {
  return [
    filter.platform === undefined ? undefined : sql`o.platform = ${filter.platform}`,
    filter.paymentMethod === undefined ? undefined : sql`o.payment_method = ${filter.paymentMethod}`,
    filter.isCancelled === undefined
      ? undefined
      : sql`(o.status = 'cancelled') = ${sql.lit(filter.isCancelled)}`,
  ]
}

/** The filters that the counters do not know: with one of them, the matches themselves are counted. */
function narrow(shopId: ObjectId, filter: OrderFilter): (Sql | undefined)[] {
  const { customerId, paymentStatus, soldBy, hasSeller, productId, ids, patterns } = filter
  return [
    customerId === undefined ? undefined : sql`o.customer_id = ${customerId}`,
    paymentStatus === undefined ? undefined : hasPaymentStatus(paymentStatus),
    soldBy === undefined ? undefined : sql`o.sold_by = ${soldBy}`,
    hasSeller === undefined ? undefined : sql`(o.sold_by is not null) = ${sql.lit(hasSeller)}`,
    productId === undefined ? undefined : hasProduct(shopId, productId),
    ids === undefined ? undefined : sql`o.id = any(${ids}::text[])`,
    patterns.length === 0 ? undefined : matchesAll(sql`o.search`, patterns),
  ]
}

/** Indexes orders_by_payment_status and orders_owed. */
function hasPaymentStatus(status: string): Sql {
  return status === 'owed' ? isOwed : sql`o.payment_status = ${status}`
}

/** The planner goes through the product's lines, or through the lines of each order of a period. */
function hasProduct(shopId: ObjectId, productId: ObjectId): Sql {
  return sql`exists (
          select
          from order_items i
          join skus s on s.shop_id = i.shop_id and s.id = i.sku_id
          where i.shop_id = ${shopId} and i.order_id = o.id and s.product_id = ${productId}
        )`
}

/** E12's bounds on the time of creation. */
function period({ start, end }: OrderFilter): (Sql | undefined)[] {
  return [
    start === undefined ? undefined : sql`o.created_at >= ${start.toISOString()}::timestamptz`,
    end === undefined ? undefined : sql`o.created_at <= ${end.toISOString()}::timestamptz`,
  ]
}

/** All of the conditions, joined by `and`; undefined ones are left out. */
export function every(conditions: (Sql | undefined)[]): Sql {
  return sql.join(
    conditions.filter((condition) => condition !== undefined),
    sql` and `,
  )
}
