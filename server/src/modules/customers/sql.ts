import { type RawBuilder, sql } from 'kysely'
import { type Db, planned } from '../../db/client.ts'
import { pageOfRows } from '../../db/far-page-sql.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { FEW_MATCHES, type Matches, matchesLookedFor, type TotalMode } from '../../lib/total.ts'
import type { SearchPattern } from './rules.ts'

export type CustomerRow = {
  shop_id: ObjectId
  id: ObjectId
  full_name: string
  phone: string
  email: string
  avatar: string
  note: string
  created_at: Date
  updated_at: Date
}

/** A customer to be stored: fields as `storedFields` gives them, `search` by `customerSearch`. */
export type CustomerDraft = {
  id: ObjectId
  fullName: string
  phone: string
  email: string
  avatar: string
  note: string
  search: string
  now: Date
}

/** The constraint behind CUSTOMER_PHONE_TAKEN. */
export const PHONE_CONSTRAINT = 'customers_one_per_phone'

/**
 * Whether a search column fits a pattern. Without a trigram to look up, all of the shop's part of the trigram index would be
 * read; the empty text keeps the planner off it, and the shop's own rows are read.
 */
export function fits(column: RawBuilder<unknown>, { like, isIndexable }: SearchPattern): RawBuilder<unknown> {
  return isIndexable ? sql`${column} like ${like}` : sql`(${column} || '') like ${like}`
}

const columns = sql`c.shop_id, c.id, c.full_name, c.phone, c.email, c.avatar, c.note, c.created_at, c.updated_at`

/**
 * One page of a shop's customers, newest first, with the number of all that match (G-46). One statement.
 * Without patterns the total is a counter's, kept by a trigger; with them the matches are counted as `mode` says (G-65).
 */
export async function listCustomers(
  db: Db,
  shopId: ObjectId,
  patterns: SearchPattern[],
  page: { limit: number; offset: number },
  mode: TotalMode,
): Promise<{ customers: CustomerRow[]; matches: Matches }> {
  const { total, ids } =
    patterns.length === 0
      ? allCustomers(shopId, page)
      : foundCustomers(shopId, patterns, page, matchesLookedFor(mode))
  // The page is joined to the total from the right, so that a page past the end still has it.
  const { rows } = await sql<CustomerRow & { matches: number; is_cut: boolean }>`
    ${total}
    select ${columns}, total.n as matches, total.is_cut
    from total
    left join (
      (${ids}) page
      join customers c on c.shop_id = ${shopId} and c.id = page.id
    ) on true
    order by c.created_at desc, c.id desc`.execute(db)
  const { matches: n, is_cut: isCut } = rows[0]!
  return { customers: rows.filter((row) => row.id !== null), matches: { n, isCut } }
}

type ListParts = { total: RawBuilder<unknown>; ids: RawBuilder<unknown> }

function allCustomers(shopId: ObjectId, page: { limit: number; offset: number }): ListParts {
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
        where c.shop_id = ${shopId}`,
      { forward: sql`c.created_at desc, c.id desc`, backward: sql`c.created_at, c.id` },
      page,
      sql`(select n from total)`,
    ),
  }
}

/** Few matches are sorted; of many the page is found by walking the customers: of the two arms one is not run. */
function foundCustomers(
  shopId: ObjectId,
  patterns: SearchPattern[],
  page: { limit: number; offset: number },
  most: number | undefined,
): ListParts {
  const words = sql.join(
    patterns.map((pattern) => fits(sql`c.search`, pattern)),
    sql` and `,
  )
  const isFew = sql`(select n <= ${sql.lit(FEW_MATCHES)} and not is_cut from total)`
  return {
    total: sql`${planned}
    with matches as materialized (
      select c.id, c.created_at
      from customers c
      where c.shop_id = ${shopId} and ${words}
      ${most === undefined ? sql`` : sql`limit ${most}`}
    ), total as materialized (
      select count(*) as n, ${most === undefined ? sql`false` : sql`count(*) = ${most}`} as is_cut from matches
    )`,
    ids: sql`(
        select c.id
        from matches c
        where ${isFew}
        ${newestFirst(page)}
      ) union all (
        select c.id
        from customers c
        where c.shop_id = ${shopId} and ${words} and not ${isFew}
        ${newestFirst(page)}
      )`,
  }
}

function newestFirst(page: { limit: number; offset: number }): RawBuilder<unknown> {
  return sql`order by c.created_at desc, c.id desc
        limit ${page.limit}
        offset ${page.offset}`
}

/** @throws the unique violation {@link PHONE_CONSTRAINT} when another customer has the phone. */
export async function insertCustomer(
  db: Db,
  shopId: ObjectId,
  customer: CustomerDraft,
): Promise<CustomerRow> {
  const { rows } = await sql<CustomerRow>`
    insert into customers as c
      (shop_id, id, full_name, phone, email, avatar, note, search, created_at, updated_at)
    values (${shopId}, ${customer.id}, ${customer.fullName}, ${customer.phone}, ${customer.email},
      ${customer.avatar}, ${customer.note}, ${customer.search}, ${customer.now}, ${customer.now})
    returning ${columns}`.execute(db)
  return rows[0]!
}

export async function findCustomer(db: Db, shopId: ObjectId, id: ObjectId): Promise<CustomerRow | undefined> {
  const { rows } = await sql<CustomerRow>`
    select ${columns}
    from customers c
    where c.shop_id = ${shopId} and c.id = ${id}`.execute(db)
  return rows[0]
}

/** The customer, held against other changes until the transaction ends; orders may still name it. */
export async function lockCustomer(
  trx: Db,
  shopId: ObjectId,
  id: ObjectId,
): Promise<CustomerRow | undefined> {
  const { rows } = await sql<CustomerRow>`
    select ${columns}
    from customers c
    where c.shop_id = ${shopId} and c.id = ${id}
    for no key update`.execute(trx)
  return rows[0]
}

/** @throws the unique violation {@link PHONE_CONSTRAINT} when another customer has the phone. */
export async function updateCustomer(
  trx: Db,
  shopId: ObjectId,
  customer: CustomerDraft,
): Promise<CustomerRow> {
  const { rows } = await sql<CustomerRow>`
    update customers c
    set full_name = ${customer.fullName}, phone = ${customer.phone}, email = ${customer.email},
      avatar = ${customer.avatar}, note = ${customer.note}, search = ${customer.search},
      updated_at = ${customer.now}, version = version + 1
    where c.shop_id = ${shopId} and c.id = ${customer.id}
    returning ${columns}`.execute(trx)
  return rows[0]!
}
