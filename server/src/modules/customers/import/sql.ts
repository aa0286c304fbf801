import { sql } from 'kysely'
import { type Db, planned } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { ReadRow } from './rules.ts'

/** What was done, in customers and opening debts. */
export type ImportCounts = {
  created: number
  completed: number
  unchanged: number
  debts: number
  debtsKept: number
}

/**
 * Lets the imports of a shop happen one after the other, until the transaction ends: two at once would not see each other's
 * customers without a number.
 */
export async function awaitImports(trx: Db, shopId: ObjectId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`customers of ${shopId}`}, 0))`.execute(trx)
}

/**
 * Writes the rows (G-125). A customer who is known, by the phone number or without one by the name, keeps what they have and gets
 * what they lack; an opening debt is recorded only for a customer who has none. One statement; indexes customers_one_per_phone and
 * customers_by_name.
 * @throws the unique violation `PHONE_CONSTRAINT` if another customer got one of the numbers at the same moment.
 */
export async function storeRows(
  db: Db,
  shopId: ObjectId,
  rows: readonly (ReadRow & { id: ObjectId })[],
  { by, now }: { by: ObjectId | null; now: Date },
): Promise<ImportCounts> {
  const { rows: counts } = await sql<ImportCounts>`${planned}
    with given as materialized (
      select g."row", g.id, g."fullName" as full_name, g.phone, g.email, nullif(g.birthday, '')::date as birthday, g.note,
        g.search, g."openingDebt" as opening_debt
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g ("row" integer, id text, "fullName" text, phone text,
        email text, birthday text, note text, search text, "openingDebt" bigint)
    ), known as materialized (
      select g."row", c.id
      from given g
      join customers c on c.shop_id = ${shopId} and c.phone = g.phone and c.phone <> ''
      where g.phone <> ''
      union all
      select g."row", min(c.id)
      from given g
      join customers c on c.shop_id = ${shopId} and c.search = g.search and c.phone = ''
      where g.phone = ''
      group by g."row"
    ), created as (
      insert into customers (shop_id, id, full_name, phone, email, birthday, note, search, created_at, updated_at)
      select ${shopId}, g.id, g.full_name, g.phone, g.email, g.birthday, g.note, g.search, ${now}::timestamptz,
        ${now}::timestamptz
      from given g
      where not exists (select from known k where k."row" = g."row")
      order by g."row"
      returning id
    ), completed as (
      update customers c
      set email = case when c.email = '' then g.email else c.email end, birthday = coalesce(c.birthday, g.birthday),
        note = case when c.note = '' then g.note else c.note end, version = c.version + 1, updated_at = ${now},
        updated_by = ${by}
      from known k
      join given g on g."row" = k."row"
      where c.shop_id = ${shopId} and c.id = k.id and ((c.email = '' and g.email <> '')
        or (c.birthday is null and g.birthday is not null) or (c.note = '' and g.note <> ''))
      returning c.id
    ), recorded as (
      insert into opening_debts (shop_id, customer_id, amount, recorded_by, recorded_at)
      select ${shopId}, coalesce(k.id, g.id), g.opening_debt, ${by}, ${now}::timestamptz
      from given g
      left join known k on k."row" = g."row"
      where g.opening_debt > 0
      on conflict (shop_id, customer_id) do nothing
      returning customer_id
    )
    select (select count(*) from created) as created, (select count(*) from completed) as completed,
      (select count(*) from known) - (select count(*) from completed) as unchanged, (select count(*) from recorded) as debts,
      (select count(*) from given where opening_debt > 0) - (select count(*) from recorded) as "debtsKept"`.execute(
    db,
  )
  return counts[0]!
}
