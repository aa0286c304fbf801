import { sql } from 'kysely'
import type { Db, Trx } from '../../db/client.ts'
import { microseconds, pageOf, rowsAfter } from '../../db/fragments/keyset-sql.ts'
import type { Keyset, Place } from '../../lib/lists/place.ts'
import type { ObjectId } from '../../lib/object-id.ts'

/** When a message's fee is charged: when the platform accepts it, or when it reaches the phone (G-26). */
export type ChargeOn = 'accepted' | 'delivered'

export type OfficialAccountRow = {
  id: ObjectId
  /** Counts the changes of the operator's settings (G-71), not renewals of tokens. */
  version: number
  oa_id: string
  name: string
  app_id: string | null
  /** The app secret, only for an account that refers to no app; else the app has it. */
  secret_key: Uint8Array | null
  has_app_secret: boolean
  access_token: Uint8Array | null
  refresh_token: Uint8Array | null
  /** In đồng, for messages whose template has no price on the platform (G-61). */
  price_phone: number | null
  price_uid: number | null
  charge_on: ChargeOn
  created_at: Date
  updated_at: Date
}

const columns = sql.raw(`
      oa.id, oa.version, oa.oa_id, oa.name, oa.app_id, oa.secret_key, oa.access_token, oa.refresh_token, oa.price_phone, oa.price_uid,
      oa.charge_on, oa.created_at, oa.updated_at,
      exists (
        select from platform_apps app where app.app_id = oa.app_id and app.app_secret is not null
      ) as has_app_secret`)

/** Links an official account to the shop; linking it again replaces its name and the credentials given. */
export async function upsertOfficialAccount(
  db: Db,
  shopId: ObjectId,
  account: {
    id: ObjectId
    oaId: string
    name: string
    appId: string | undefined
    secretKey: Buffer | undefined
    accessToken: Buffer | undefined
    refreshToken: Buffer | undefined
    /** The person who links it; null for the operator's token. */
    by: ObjectId | null
    now: Date
  },
): Promise<OfficialAccountRow> {
  const { rows } = await sql<OfficialAccountRow>`
    insert into official_accounts as oa
      (shop_id, id, oa_id, name, app_id, secret_key, access_token, refresh_token, created_at, updated_at, updated_by)
    values (${shopId}, ${account.id}, ${account.oaId}, ${account.name}, ${account.appId ?? null},
      ${account.secretKey ?? null}, ${account.accessToken ?? null}, ${account.refreshToken ?? null},
      ${account.now}, ${account.now}, ${account.by})
    on conflict (shop_id, oa_id) do update
    set name = excluded.name,
      app_id = coalesce(excluded.app_id, oa.app_id),
      secret_key = coalesce(excluded.secret_key, oa.secret_key),
      access_token = coalesce(excluded.access_token, oa.access_token),
      refresh_token = coalesce(excluded.refresh_token, oa.refresh_token),
      version = oa.version + 1, updated_at = excluded.updated_at, updated_by = excluded.updated_by
    returning ${columns}`.execute(db)
  return rows[0]!
}

/** Removes the account's own app secret, after it was moved to the account's app. */
export async function clearOwnSecret(trx: Trx, shopId: ObjectId, id: ObjectId): Promise<void> {
  await sql`
    update official_accounts
    set secret_key = null
    where shop_id = ${shopId} and id = ${id}`.execute(trx)
}

/** One page of the shop's official accounts, in the order in which they were linked. */
export async function listOfficialAccounts(
  db: Db,
  shopId: ObjectId,
  ids: ObjectId[] | undefined,
  { limit, offset, after }: Place,
): Promise<{ accounts: OfficialAccountRow[]; hasMore: boolean; last: Keyset | undefined }> {
  const among = ids === undefined ? sql`` : sql` and oa.id = any(${ids}::text[])`
  const { rows } = await sql<OfficialAccountRow & { cursor_key: number }>`
    select ${columns}, ${microseconds(sql`oa.created_at`)} as cursor_key
    from official_accounts oa
    where oa.shop_id = ${shopId}${among}${rowsAfter(sql`oa.created_at`, sql`oa.id`, after, { direction: 'asc' })}
    order by oa.created_at, oa.id
    limit ${limit + 1}
    offset ${offset}`.execute(db)
  const { page: accounts, hasMore, last } = pageOf(rows, limit)
  return { accounts, hasMore, last }
}

/** The official account with our id, locked until the transaction ends; `for: 'unlinking'` also against messages that begin. */
export async function lockOfficialAccount(
  trx: Trx,
  shopId: ObjectId,
  id: ObjectId,
  { for: purpose }: { for: 'change' | 'unlinking' },
): Promise<OfficialAccountRow | undefined> {
  const { rows } = await sql<OfficialAccountRow>`
    select ${columns}
    from official_accounts oa
    where oa.shop_id = ${shopId} and oa.id = ${id}
    ${purpose === 'unlinking' ? sql`for update` : sql`for no key update`}`.execute(trx)
  return rows[0]
}

/** Writes the operator's settings of an official account; undefined credentials stay. */
export async function updateOfficialAccount(
  trx: Trx,
  shopId: ObjectId,
  id: ObjectId,
  account: {
    name: string
    appId: string | null
    pricePhone: number | null
    priceUid: number | null
    chargeOn: ChargeOn
    secretKey: Buffer | undefined
    accessToken: Buffer | undefined
    refreshToken: Buffer | undefined
    by: ObjectId | null
    now: Date
  },
): Promise<OfficialAccountRow> {
  const { rows } = await sql<OfficialAccountRow>`
    update official_accounts oa
    set name = ${account.name}, app_id = ${account.appId}, price_phone = ${account.pricePhone},
      price_uid = ${account.priceUid}, charge_on = ${account.chargeOn}, secret_key = coalesce(${account.secretKey ?? null}, secret_key),
      access_token = coalesce(${account.accessToken ?? null}, access_token),
      refresh_token = coalesce(${account.refreshToken ?? null}, refresh_token), version = version + 1,
      updated_at = ${account.now}, updated_by = ${account.by}
    where shop_id = ${shopId} and id = ${id}
    returning ${columns}`.execute(trx)
  return rows[0]!
}

/**
 * Unlinks an official account, unless messages of a batch wait for it, or messages sent with it have no result yet: their receipts
 * could not be applied any more. The account must be locked for unlinking, by an earlier statement, so that this one sees every
 * message that began before. Indexes messages_history_by_status and messages_awaiting_receipt. @returns whether it was unlinked.
 */
export async function deleteOfficialAccount(trx: Trx, shopId: ObjectId, id: ObjectId): Promise<boolean> {
  const { rows } = await sql`
    delete from official_accounts oa
    where oa.shop_id = ${shopId} and oa.id = ${id} and not exists (
      select from message_batches b
      where b.shop_id = oa.shop_id and b.oa_id = oa.oa_id and b.is_open
    ) and not exists (
      select from messages m
      where m.shop_id = oa.shop_id and m.oa_id = oa.oa_id and m.state in ('SENDING', 'UNKNOWN', 'FALLBACK')
    ) and not exists (
      select from messages m
      where m.shop_id = oa.shop_id and m.oa_id = oa.oa_id and m.receipt_due_at is not null
    )
    returning oa.id`.execute(trx)
  return rows.length > 0
}
