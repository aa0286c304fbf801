import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'
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
 * Whether a search column fits a pattern. Without a trigram to look up, the trigram index would be read from
 * end to end, over all shops; the empty text keeps the planner off it, and the shop's own rows are read.
 */
export function fits(column: RawBuilder<unknown>, { like, isIndexable }: SearchPattern): RawBuilder<unknown> {
  return isIndexable ? sql`${column} like ${like}` : sql`(${column} || '') like ${like}`
}

const columns = sql`c.shop_id, c.id, c.full_name, c.phone, c.email, c.avatar, c.note, c.created_at, c.updated_at`

/**
 * One page of a shop's customers, newest first, with the number of all that match (G-46). One statement.
 * Without patterns the total is a counter's, kept by a trigger; with them it counts the trigram matches.
 */
export async function listCustomers(
  db: Db,
  shopId: ObjectId,
  patterns: SearchPattern[],
  page: { limit: number; offset: number },
): Promise<{ customers: CustomerRow[]; total: number }> {
  const matching = sql.join(
    patterns.map((pattern) => sql`and ${fits(sql`c.search`, pattern)}`),
    sql` `,
  )
  const from = sql`from customers c where c.shop_id = ${shopId} ${patterns.length === 0 ? sql`` : matching}`
  const total =
    patterns.length === 0
      ? sql`select value from shop_counters where shop_id = ${shopId} and name = 'customers'`
      : sql`select count(*) ${from}`
  // The page is joined to the total from the right, so that a page past the end still has it.
  const { rows } = await sql<CustomerRow & { total: number | null }>`
    select page.*, counted.total
    from (select (${total}) as total) as counted
    left join (
      select ${columns}
      ${from}
      order by c.created_at desc, c.id desc
      limit ${page.limit}
      offset ${page.offset}
    ) as page on true
    order by page.created_at desc, page.id desc`.execute(db)
  return {
    customers: rows.filter((row) => row.id !== null),
    total: rows[0]?.total ?? 0,
  }
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
