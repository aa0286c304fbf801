import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

/** A table with rows of shops, as read from the database's catalogue. */
export type ShopTable = {
  table: string
  /** The columns of the primary key after `shop_id`. */
  key: { name: string; type: string }[]
  /** The tables that its rows refer to. */
  parents: string[]
  /** The columns by which a row refers to another one of the same table. */
  ownParents: string[]
  /** The columns that an owner may read: no sealed or hashed values, and nothing derived. */
  columns: { name: string; isTime: boolean }[]
}

/** Every table with a `shop_id`. */
export async function listShopTables(db: Db): Promise<ShopTable[]> {
  const { rows } = await sql<ShopTable>`
    select c.relname as "table",
      (
        select coalesce(jsonb_agg(
          jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by k.n
        ), '[]')
        from pg_catalog.pg_index i
        cross join lateral unnest(i.indkey::int2[]) with ordinality as k (attnum, n)
        join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary and a.attname <> 'shop_id'
      ) as key,
      (
        select coalesce(jsonb_agg(distinct p.relname), '[]')
        from pg_catalog.pg_constraint f
        join pg_catalog.pg_class p on p.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and p.oid <> c.oid
      ) as parents,
      (
        select coalesce(jsonb_agg(distinct a.attname), '[]')
        from pg_catalog.pg_constraint f
        join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = any (f.conkey) and a.attname <> 'shop_id'
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid = c.oid
      ) as "ownParents",
      (
        select coalesce(jsonb_agg(
          jsonb_build_object('name', a.attname, 'isTime', a.atttypid = 'timestamptz'::regtype) order by a.attnum
        ), '[]')
        from pg_catalog.pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
          and a.atttypid <> 'bytea'::regtype and a.attname not in ('shop_id', 'search')
      ) as columns
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    where c.relkind in ('r', 'p') and not c.relispartition and exists (
      select from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attname = 'shop_id' and not a.attisdropped
    )
    order by c.relname`.execute(db)
  return rows
}

/**
 * The next `limit` rows of a shop after the key `after`, each as JSON, in the order of the key. A range of the primary
 * key.
 */
export async function listTableRows(
  db: Db,
  shopId: ObjectId,
  { table, key, columns }: ShopTable,
  { after, limit }: { after: string[] | undefined; limit: number },
): Promise<{ key: string[]; row: string }[]> {
  const keys = key.map(({ name }) => sql.ref(`t.${name}`))
  const behind =
    after === undefined || keys.length === 0
      ? sql``
      : sql`and (${sql.join(keys)}) > (${sql.join(key.map(({ type }, n) => sql`${after[n]}::text::${sql.raw(type)}`))})`
  const values = columns.map((column) => sql`${sql.lit(column.name)}::text, ${shownColumn(table, column)}`)
  const texts = keys.map((one) => sql`${one}::text`)
  const { rows } = await sql<{ key: string[]; row: string }>`
    select jsonb_build_array(${sql.join(texts)}) as key, json_build_object(${sql.join(values)})::text as row
    from ${sql.table(table)} t
    where t.shop_id = ${shopId} ${behind}
    ${keys.length === 0 ? sql`` : sql`order by ${sql.join(keys)}`}
    limit ${limit}`.execute(db)
  return rows
}

/** A column in the form that the API shows. One-time passwords are never shown. */
function shownColumn(table: string, { name, isTime }: ShopTable['columns'][number]): RawBuilder<unknown> {
  const column = sql.ref(`t.${name}`)
  if (isTime) return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return table === 'messages' && name === 'params'
    ? sql`case when t.has_otp then '{}' else ${column} end`
    : column
}

/** Deletes up to `limit` rows of a shop, within `allowErasing`. @returns how many. */
export async function deleteTableRows(
  db: Db,
  shopId: ObjectId,
  { table, key }: ShopTable,
  limit: number,
): Promise<number> {
  const ofKey = (alias: string) => sql.join(key.map(({ name }) => sql.ref(`${alias}.${name}`)))
  const chosen =
    key.length === 0
      ? sql``
      : sql`and (${ofKey('t')}) in (
        select ${ofKey('d')}
        from ${sql.table(table)} d
        where d.shop_id = ${shopId}
        limit ${limit}
      )`
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} t
    where t.shop_id = ${shopId} ${chosen}`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Clears the references of up to `limit` rows to other rows of their table, so that they can be deleted in any order.
 * @returns how many.
 */
export async function clearOwnReferences(
  db: Db,
  shopId: ObjectId,
  { table, key, ownParents }: ShopTable,
  limit: number,
): Promise<number> {
  const ofKey = (alias: string) => sql.join(key.map(({ name }) => sql.ref(`${alias}.${name}`)))
  const isTied = sql.join(
    ownParents.map((name) => sql`${sql.ref(`d.${name}`)} is not null`),
    sql` or `,
  )
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} t
    set ${sql.join(ownParents.map((name) => sql`${sql.ref(name)} = null`))}
    where t.shop_id = ${shopId} and (${ofKey('t')}) in (
      select ${ofKey('d')}
      from ${sql.table(table)} d
      where d.shop_id = ${shopId} and (${isTied})
      limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows)
}
