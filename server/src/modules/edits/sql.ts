import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'

/** The tables of records that people change, each with `version`, `updated_at` and `updated_by`. */
export type EditedTable =
  | 'products'
  | 'customers'
  | 'audiences'
  | 'news'
  | 'news_drafts'
  | 'templates'
  | 'unfinished_templates'
  | 'categories'
  | 'warehouses'
  | 'webhook_endpoints'
  | 'orders'
  | 'shops'

export type LastEditRow = {
  version: number
  updated_at: Date
  updated_by: string | null
  /** Null unless a key of the shop made the change. */
  key_name: string | null
  /** Null unless a person made the change. */
  person_name: string | null
}

/** Who changed a record last, and when; undefined if the shop has no such record. */
export async function findLastEdit(
  db: Db,
  shopId: ObjectId,
  table: EditedTable,
  id: ObjectId,
): Promise<LastEditRow | undefined> {
  const isRecord = table === 'shops' ? sql`r.id = ${shopId}` : sql`r.shop_id = ${shopId} and r.id = ${id}`
  const { rows } = await sql<LastEditRow>`
    select r.version, r.updated_at, r.updated_by, k.name as key_name, u.name as person_name
    from ${sql.table(table)} r
    left join api_keys k on k.shop_id = ${shopId} and k.id = r.updated_by
    left join users u on u.id = r.updated_by
    where ${isRecord}`.execute(db)
  return rows[0]
}
