import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { ShopTable } from '../shops/deletion/tables-sql.ts'

/**
 * Looks at the next `limit` rows of a shop in a table, after the key `after`, in the order of the key. @returns the hashes of the
 * shop's images whose addresses occur in these rows, and the last row's key, null when there was no row. A range of the primary
 * key.
 */
export async function findNamedImages(
  db: Db,
  shopId: ObjectId,
  { table, key }: ShopTable,
  { after, limit }: { after: string[] | undefined; limit: number },
): Promise<{ last: string[] | null; hashes: string[] }> {
  const keys = key.map(({ name }) => sql.ref(`t.${name}`))
  const behind =
    after === undefined || keys.length === 0
      ? sql``
      : sql`and (${sql.join(keys)}) > (${sql.join(key.map(({ type }, n) => sql`${after[n]}::text::${sql.raw(type)}`))})`
  const texts = sql`jsonb_build_array(${sql.join(keys.map((one) => sql`${one}::text`))})`
  const place = sql.join(keys.map((one) => sql`${one} desc`))
  const { rows } = await sql<{ last: string[] | null; hashes: string[] }>`
    with page as materialized (
      select t.*
      from ${sql.table(table)} t
      where t.shop_id = ${shopId} ${behind}
      ${keys.length === 0 ? sql`` : sql`order by ${sql.join(keys)}`}
      limit ${limit}
    )
    select (select ${texts} from page t ${keys.length === 0 ? sql`` : sql`order by ${place}`} limit 1) as last,
      coalesce((
        select jsonb_agg(distinct found.parts[1])
        from page t
        cross join lateral regexp_matches(t::text, ${`${shopId}/([0-9a-f]{64})`}, 'g') as found (parts)
      ), '[]') as hashes`.execute(db)
  return rows[0]!
}
