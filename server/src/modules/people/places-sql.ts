import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'

/** A table with texts that can contain a person's number, as read from the database's catalogue. */
export type Place = {
  schema: string
  table: string
  hasShop: boolean
  /** Whether its rows have a `version`, which every change raises, and who made it (G-71). */
  hasVersion: boolean
  key: { name: string; type: string }[]
  columns: { name: string; isJson: boolean; isUnique: boolean }[]
}

/** A row that may contain the number: its key, and its texts by column. */
export type FoundRow = { key: string[]; texts: Record<string, string | null> }

/**
 * Tables and columns that are not searched: people who work with the service, for whom there are other operations; the
 * platform's ids and the codes of goods, which may have the same digits but are no phone numbers; a shop's own details,
 * even if they contain its owner's number; hashed values; and the counts of orders, which follow the orders' own texts.
 */
const OTHER_TABLES = [
  'accounts',
  'sessions',
  'users',
  'verifications',
  'schema_migrations',
  'sealing_key',
  'order_counts',
]
const OTHER_COLUMNS = [
  'oa_id',
  'app_id',
  'user_uid',
  'session_id',
  'platform_template_id',
  'media_id',
  'sha256',
  'barcode',
  'item_sku',
]
const OTHER_PLACES = [
  'product_codes.code',
  'skus.code',
  'api_keys.prefix',
  'shops.phone',
  'shops.address',
  'shops.tax_code',
  'shops.bank_number',
  'shops.bank_holder',
  'shops.print_note',
]

/**
 * Every table of the service and of its job queue that has texts, with its columns. For the queue’s partitioned table,
 * its partitions are listed.
 */
export async function listPlaces(db: Db): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select n.nspname as schema, c.relname as "table",
      exists (
        select from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attname = 'shop_id' and not a.attisdropped
      ) as "hasShop",
      (
        select count(*) = 2
        from pg_catalog.pg_attribute a
        where a.attrelid = c.oid and a.attname in ('version', 'updated_by') and not a.attisdropped
      ) as "hasVersion",
      (
        select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by k.n)
        from pg_catalog.pg_index i
        cross join lateral unnest(i.indkey::int2[]) with ordinality as k (attnum, n)
        join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary
      ) as key,
      jsonb_agg(jsonb_build_object('name', a.attname, 'isJson', t.typname in ('json', 'jsonb'), 'isUnique', exists (
        select
        from pg_catalog.pg_index i
        where i.indrelid = c.oid and i.indisunique and a.attnum = any (i.indkey::int2[])
      )) order by a.attnum) as columns
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname in ('public', 'pgboss')
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    join pg_catalog.pg_type t on t.oid = a.atttypid and t.typname in ('text', 'varchar', 'json', 'jsonb')
    where (c.relkind = 'r' and not (c.relispartition and n.nspname = 'public') or c.relkind = 'p' and n.nspname = 'public')
      and c.relname <> all (${OTHER_TABLES}::text[]) and a.attname <> all (${OTHER_COLUMNS}::text[])
      and c.relname || '.' || a.attname <> all (${OTHER_PLACES}::text[])
      and exists (select from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisprimary)
    group by n.nspname, c.oid, c.relname
    order by n.nspname, c.relname`.execute(db)
  return rows
}

/**
 * Searches the next `limit` rows of a place after `after`, in the order of its key, for one shop or, with undefined,
 * for all.
 * @returns the rows with a text that matches the pattern, and the key of the last row read; null if there was none. A
 *   range of the primary key.
 */
export async function findRowsWith(
  db: Db,
  shopId: ObjectId | undefined,
  place: Place,
  { pattern, after, limit }: { pattern: string; after: string[] | undefined; limit: number },
): Promise<{ last: string[] | null; found: FoundRow[] }> {
  const key = sql.join(place.key.map(({ name }) => sql.ref(`t.${name}`)))
  const keyTexts = sql`jsonb_build_array(${sql.join(place.key.map(({ name }) => sql`${sql.ref(`t.${name}`)}::text`))})`
  const behind =
    after === undefined
      ? sql`true`
      : sql`(${key}) > (${sql.join(place.key.map(({ type }, n) => sql`${after[n]}::text::${sql.raw(type)}`))})`
  const texts = place.columns.map(({ name }) => sql`${sql.lit(name)}::text, ${sql.ref(`t.${name}`)}::text`)
  const matches = place.columns.map(({ name }) => sql`${sql.ref(`t.${name}`)}::text ~ ${pattern}`)
  const descending = sql.join(place.key.map(({ name }) => sql`${sql.ref(`t.${name}`)} desc`))
  const { rows } = await sql<{ last: string[] | null; found: FoundRow[] }>`
    with page as materialized (
      select t.*
      from ${sql.table(`${place.schema}.${place.table}`)} t
      where ${lookedAt(shopId, place)} and ${behind}
      order by ${key}
      limit ${limit}
    )
    select (select ${keyTexts} from page t order by ${descending} limit 1) as last,
      coalesce((
        select jsonb_agg(jsonb_build_object('key', ${keyTexts}, 'texts', jsonb_build_object(${sql.join(texts)})))
        from page t
        where ${sql.join(matches, sql` or `)}
      ), '[]') as found`.execute(db)
  return rows[0]!
}

/** The texts of a row, locked until the transaction ends; undefined if the row no longer exists. */
export async function lockRow(
  trx: Db,
  shopId: ObjectId | undefined,
  place: Place,
  key: string[],
): Promise<FoundRow['texts'] | undefined> {
  const texts = place.columns.map(({ name }) => sql`${sql.lit(name)}::text, ${sql.ref(`t.${name}`)}::text`)
  const { rows } = await sql<{ texts: FoundRow['texts'] }>`
    select jsonb_build_object(${sql.join(texts)}) as texts
    from ${sql.table(`${place.schema}.${place.table}`)} t
    where ${lookedAt(shopId, place)} and ${withKey(place, key)}
    for update`.execute(trx)
  return rows[0]?.texts
}

/** Writes texts of a row, as a change of nobody; append-only tables need {@link allowErasing}. */
export async function updateTexts(
  trx: Db,
  shopId: ObjectId | undefined,
  place: Place,
  key: string[],
  texts: Record<string, string | null>,
): Promise<void> {
  const isJson = new Map(place.columns.map((column) => [column.name, column.isJson]))
  const values = Object.entries(texts).map(
    ([name, text]) => sql`${sql.ref(name)} = ${text}::${sql.raw(isJson.get(name) ? 'jsonb' : 'text')}`,
  )
  const changed = place.hasVersion ? [sql`version = t.version + 1, updated_by = null`] : []
  await sql`
    update ${sql.table(`${place.schema}.${place.table}`)} t
    set ${sql.join([...values, ...changed])}
    where ${lookedAt(shopId, place)} and ${withKey(place, key)}`.execute(trx)
}

/** Deletes the counts of no orders whose text contains the number: the orders have another text now. */
export async function deleteEmptyCounts(
  db: Db,
  shopId: ObjectId | undefined,
  pattern: string,
): Promise<void> {
  await sql`
    delete from order_counts c
    where ${shopId === undefined ? sql`true` : sql`c.shop_id = ${shopId}`} and c.n = 0
      and (c.payment_method ~ ${pattern} or c.platform ~ ${pattern})`.execute(db)
}

/** Lets the rest of the transaction change append-only tables. */
export async function allowErasing(trx: Db): Promise<void> {
  await sql`select set_config('shopbell.erasing', 'on', true)`.execute(trx)
}

/** Only ended messages are searched: one that was accepted meanwhile is still to be sent to the number. */
function lookedAt(shopId: ObjectId | undefined, place: Place): RawBuilder<unknown> {
  const isEnded = place.table === 'messages' ? sql`t.state in ('RECEIVED', 'ERROR')` : sql`true`
  return sql`${ofShop(shopId, place)} and ${isEnded}`
}

/** Condition: the row of a place belongs to the shop. In tables without a shop column, the row names the shop. */
function ofShop(
  shopId: ObjectId | undefined,
  { schema, table, hasShop, columns }: Place,
): RawBuilder<unknown> {
  if (shopId === undefined) return sql`true`
  if (hasShop) return sql`t.shop_id = ${shopId}`
  if (schema === 'pgboss' && columns.some(({ name }) => name === 'data'))
    return sql`t.data ->> 'shopId' = ${shopId}`
  if (table === 'shops') return sql`t.id = ${shopId}`
  if (table === 'platform_events') {
    return sql`t.oa_id in (
        select oa.oa_id from official_accounts oa where oa.shop_id = ${shopId}
        union all
        select b.oa_id from templates b where b.shop_id = ${shopId}
      )`
  }
  return sql`false`
}

function withKey(place: Place, key: string[]): RawBuilder<unknown> {
  const parts = place.key.map(
    ({ name, type }, n) => sql`${sql.ref(`t.${name}`)} = ${key[n]}::text::${sql.raw(type)}`,
  )
  return sql.join(parts, sql` and `)
}
