import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'

/** Where the version of a value is kept that belongs to a record, but is changed by itself. */
const VALUES = {
  member_roles: (shopId: ObjectId) => sql`(
      select shop_id, user_id as id, version, updated_at, updated_by
      from members
      where shop_id = ${shopId}
    )`,
  key_shares: (shopId: ObjectId) => sql`(
      select shop_id, id, version, coalesce(updated_at, created_at) as updated_at, updated_by
      from api_keys
      where shop_id = ${shopId}
    )`,
  sms_texts: (shopId: ObjectId) => sql`(
      select shop_id, id, sms_version as version, coalesce(sms_updated_at, created_at) as updated_at,
        sms_updated_by as updated_by
      from templates
      where shop_id = ${shopId}
    )`,
  sms_senders: (shopId: ObjectId) => sql`(
      select id as shop_id, id, sms_sender_version as version, coalesce(sms_sender_updated_at, created_at) as updated_at,
        sms_sender_updated_by as updated_by
      from shops
      where id = ${shopId}
    )`,
  wallet_alerts: (shopId: ObjectId) => sql`(
      select w.shop_id, w.shop_id as id, w.alert_version as version,
        coalesce(w.alert_updated_at, s.created_at) as updated_at, w.alert_updated_by as updated_by
      from wallets w
      join shops s on s.id = w.shop_id
      where w.shop_id = ${shopId}
    )`,
} satisfies Record<string, (shopId: ObjectId) => RawBuilder<unknown>>

/** The tables of records that people change, each with `version`, `updated_at` and `updated_by`, and the values beside them. */
export type EditedTable =
  | keyof typeof VALUES
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
  | 'official_accounts'
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
  const edited = table in VALUES ? VALUES[table as keyof typeof VALUES](shopId) : sql.table(table)
  const { rows } = await sql<LastEditRow>`
    select r.version, r.updated_at, r.updated_by, k.name as key_name, u.name as person_name
    from ${edited} r
    left join api_keys k on k.shop_id = ${shopId} and k.id = r.updated_by
    left join users u on u.id = r.updated_by
    where ${isRecord}`.execute(db)
  return rows[0]
}
