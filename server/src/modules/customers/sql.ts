import { type RawBuilder, sql } from 'kysely'
import { type Db, planned } from '../../db/client.ts'
import { copiedRows } from '../../db/fragments/copied-sql.ts'
import { pageOfRows } from '../../db/fragments/far-page-sql.ts'
import { type KeyKind, rowsAfter } from '../../db/fragments/keyset-sql.ts'
import { debtOf } from '../../db/fragments/owed-sql.ts'
import { matchesAll } from '../../db/fragments/search-sql.ts'
import { cursorKey, type Direction, sortKeys } from '../../db/fragments/sort-sql.ts'
import type { Copied } from '../../lib/lists/copied.ts'
import type { Keyset, Place } from '../../lib/lists/place.ts'
import { countLimit, type Matches, type TotalMode } from '../../lib/lists/total.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { SearchPattern } from '../../lib/text/search-pattern.ts'
import type { CustomerSortField } from './rules.ts'

export type CustomerRow = {
  shop_id: ObjectId
  id: ObjectId
  version: number
  full_name: string
  phone: string
  email: string
  /** `1990-11-24` */
  birthday: string | null
  avatar: string
  note: string
  created_at: Date
  updated_at: Date
}

/** A customer as a line of the list; `debt`, if it was asked for, is what they owe, in đồng. */
export type ListedCustomer = CustomerRow & { debt?: number }

/** A customer as a line of the export; `cursor` is the time of its creation with full precision, `debt` what they owe, in đồng. */
export type ExportedCustomer = CustomerRow & { cursor: string; debt: number }

/** A customer to store: fields as `storedFields` returns them, `search` from `customerSearch`. */
export type CustomerDraft = {
  id: ObjectId
  fullName: string
  phone: string
  email: string
  /** `1990-11-24`, or empty for none. */
  birthday: string
  avatar: string
  note: string
  search: string
  now: Date
}

/** The constraint whose violation means CUSTOMER_PHONE_TAKEN. */
export const PHONE_CONSTRAINT = 'customers_one_per_phone'

export const customerColumns = sql`c.shop_id, c.id, c.version, c.full_name, c.phone, c.email, c.birthday::text as birthday, c.avatar, c.note,
  c.created_at, c.updated_at`

export type CustomerSort<By = CustomerSortField> = { by: By; direction: Direction }

/**
 * Each column is the second one of an index of its own, `id` the third. The sort by name uses the search text, which begins with
 * the folded name.
 */
export const SORT_KEYS: Record<CustomerSortField, { column: RawBuilder<unknown>; kind: KeyKind }> = {
  createdAt: { column: sql`c.created_at`, kind: 'time' },
  fullName: { column: sql`c.search`, kind: 'text' },
}

/**
 * One page of a shop's customers in the order of `sort`, with the number of all that match (G-46). One statement. Without
 * patterns the total comes from a counter that a trigger maintains; with them the matches are counted as `mode` says (G-65).
 */
export async function listCustomers(
  db: Db,
  shopId: ObjectId,
  { filter, sort, page, mode, withDebt }: CustomerQuery,
): Promise<FoundCustomers> {
  const { total, ids } =
    filter.patterns.length === 0 && filter.ids === undefined
      ? allCustomers(shopId, sort, page)
      : foundCustomers(shopId, filter, sort, page, countLimit(mode))
  const { column, kind } = SORT_KEYS[sort.by]
  // A left join from the total, so that a page past the end still has the total.
  const debt = withDebt ? sql`, ${debtOf(shopId, sql.ref('c.id'))} as debt` : sql``
  const { rows } = await sql<ListedCustomer & { matches: number; is_cut: boolean; cursor_key: unknown }>`
    ${total}
    select ${customerColumns}${debt}, total.n as matches, total.is_cut, ${cursorKey(column, kind)} as cursor_key
    from total
    left join (
      (${ids}) page
      join customers c on c.shop_id = ${shopId} and c.id = page.id
    ) on true
    order by ${sortKeys(column, sql`c.id`, sort.direction).forward}`.execute(db)
  const { matches: n, is_cut: isCut } = rows[0]!
  const customers = rows.filter((row) => row.id !== null)
  const row = customers.at(-1)
  return {
    customers,
    matches: { n, isCut },
    last: row && { key: row.cursor_key as Keyset['key'], id: row.id },
  }
}

/** A page of customers, how many match, and where the page ends. `debt`, in a list of debtors: what all matches owe together, in đồng. */
export type FoundCustomers = {
  customers: ListedCustomer[]
  matches: Matches
  last: Keyset | undefined
  debt?: number
}

export type CustomerFilter = { patterns: SearchPattern[]; ids?: ObjectId[] | undefined }

/** Which page of which customers is read. `withDebt` adds what each owes. */
export type CustomerQuery<By = CustomerSortField> = {
  filter: CustomerFilter
  sort: CustomerSort<By>
  page: Place
  mode: TotalMode
  withDebt: boolean
}

type ListParts = { total: RawBuilder<unknown>; ids: RawBuilder<unknown> }

function allCustomers(shopId: ObjectId, { by, direction }: CustomerSort, page: Place): ListParts {
  const { column, kind } = SORT_KEYS[by]
  return {
    total: sql`with total as (
      select coalesce((
        select value from shop_counters where shop_id = ${shopId} and name = 'customers'
      ), 0) as n, false as is_cut
    )`,
    ids: pageOfRows(
      sql`
        select c.id
        from customers c
        where c.shop_id = ${shopId}${rowsAfter(column, sql`c.id`, page.after, { direction, kind })}`,
      sortKeys(column, sql`c.id`, direction),
      page,
      sql`(select n from total)`,
    ),
  }
}

/**
 * All matches that were found are sorted, which costs less than finding them did. If they are cut off, the page is found by
 * walking the customers in sort order instead: only one of the two branches runs.
 */
function foundCustomers(
  shopId: ObjectId,
  { patterns, ids }: CustomerFilter,
  { by, direction }: CustomerSort,
  page: Place,
  most: number | undefined,
): ListParts {
  const among = ids === undefined ? sql`` : sql` and c.id = any(${ids}::text[])`
  const words = sql`${matchesAll(sql`c.search`, patterns)}${among}`
  const areAll = sql`(select not is_cut from total)`
  const { column, kind } = SORT_KEYS[by]
  const slice = (
    key: RawBuilder<unknown>,
  ) => sql`${rowsAfter(key, sql`c.id`, page.after, { direction, kind })}
        order by ${sortKeys(key, sql`c.id`, direction).forward}
        limit ${page.limit}
        offset ${page.offset}`
  return {
    total: sql`${planned}
    with matches as materialized (
      select c.id, ${column} as key
      from customers c
      where c.shop_id = ${shopId} and ${words}
      ${most === undefined ? sql`` : sql`limit ${most}`}
    ), total as materialized (
      select count(*) as n, ${most === undefined ? sql`false` : sql`count(*) = ${most}`} as is_cut from matches
    )`,
    ids: sql`(
        select c.id
        from matches c
        where ${areAll}${slice(sql`c.key`)}
      ) union all (
        select c.id
        from customers c
        where c.shop_id = ${shopId} and ${words} and not ${areAll}${slice(column)}
      )`,
  }
}

/**
 * The next `limit` customers of a filter after a customer, newest first. One statement, an index range that starts there: a late
 * chunk costs as much as the first, and nothing stays open between two chunks.
 */
export async function listCustomersAfter(
  db: Db,
  shopId: ObjectId,
  { patterns, ids }: CustomerFilter,
  after: { cursor: string; id: ObjectId } | undefined,
  limit: number,
): Promise<ExportedCustomer[]> {
  const { rows } = await sql<ExportedCustomer>`${planned}
    select ${customerColumns}, c.created_at::text as cursor, ${debtOf(shopId, sql.ref('c.id'))} as debt
    from customers c
    where c.shop_id = ${shopId}
      and ${matchesAll(sql`c.search`, patterns)}
      ${ids === undefined ? sql`` : sql`and c.id = any(${ids}::text[])`}
      ${after === undefined ? sql`` : sql`and (c.created_at, c.id) < (${after.cursor}::timestamptz, ${after.id})`}
    order by c.created_at desc, c.id desc
    limit ${limit}`.execute(db)
  return rows
}

/** @throws the unique violation {@link PHONE_CONSTRAINT} when another customer has the phone number. */
export async function insertCustomer(
  db: Db,
  shopId: ObjectId,
  customer: CustomerDraft,
): Promise<CustomerRow> {
  const { rows } = await sql<CustomerRow>`
    insert into customers as c
      (shop_id, id, full_name, phone, email, birthday, avatar, note, search, created_at, updated_at)
    values (${shopId}, ${customer.id}, ${customer.fullName}, ${customer.phone}, ${customer.email},
      nullif(${customer.birthday}::text, '')::date, ${customer.avatar}, ${customer.note}, ${customer.search},
      ${customer.now}, ${customer.now})
    returning ${customerColumns}`.execute(db)
  return rows[0]!
}

export async function findCustomer(db: Db, shopId: ObjectId, id: ObjectId): Promise<CustomerRow | undefined> {
  const { rows } = await sql<CustomerRow>`
    select ${customerColumns}
    from customers c
    where c.shop_id = ${shopId} and c.id = ${id}`.execute(db)
  return rows[0]
}

/** Customers of a shop by id (G-66, G-67). */
export async function listCopiedCustomers(db: Db, shopId: ObjectId, copied: Copied): Promise<CustomerRow[]> {
  const { rows } = await sql<CustomerRow>`
    select ${customerColumns}
    from customers c
    where c.shop_id = ${shopId}
    ${copiedRows(sql`c.id`, copied)}`.execute(db)
  return rows
}

/** The customer, locked against other changes until the transaction ends; orders may still refer to it. */
export async function lockCustomer(
  trx: Db,
  shopId: ObjectId,
  id: ObjectId,
): Promise<CustomerRow | undefined> {
  const { rows } = await sql<CustomerRow>`
    select ${customerColumns}
    from customers c
    where c.shop_id = ${shopId} and c.id = ${id}
    for no key update`.execute(trx)
  return rows[0]
}

/** @throws the unique violation {@link PHONE_CONSTRAINT} when another customer has the phone number. */
export async function updateCustomer(
  trx: Db,
  shopId: ObjectId,
  customer: CustomerDraft & { by: ObjectId | null },
): Promise<CustomerRow> {
  const { rows } = await sql<CustomerRow>`
    update customers c
    set full_name = ${customer.fullName}, phone = ${customer.phone}, email = ${customer.email},
      birthday = nullif(${customer.birthday}::text, '')::date, avatar = ${customer.avatar}, note = ${customer.note}, search = ${customer.search},
      updated_at = ${customer.now}, updated_by = ${customer.by}, version = version + 1
    where c.shop_id = ${shopId} and c.id = ${customer.id}
    returning ${customerColumns}`.execute(trx)
  return rows[0]!
}
