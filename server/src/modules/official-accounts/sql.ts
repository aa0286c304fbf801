import { sql } from 'kysely'
import type { Db, Trx } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'

export type OfficialAccountRow = {
  id: ObjectId
  oa_id: string
  name: string
  app_id: string | null
  secret_key: Uint8Array | null
  access_token: Uint8Array | null
  refresh_token: Uint8Array | null
  webhook_secret: Uint8Array | null
  /** đồng, where the platform names none (G-61). */
  price_phone: number | null
  price_uid: number | null
  created_at: Date
  updated_at: Date
}

const columns = sql.raw(
  'id, oa_id, name, app_id, secret_key, access_token, refresh_token, webhook_secret, price_phone, price_uid, ' +
    'created_at, updated_at',
)

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
    now: Date
  },
): Promise<OfficialAccountRow> {
  const { rows } = await sql<OfficialAccountRow>`
    insert into official_accounts as oa
      (shop_id, id, oa_id, name, app_id, secret_key, access_token, refresh_token, created_at, updated_at)
    values (${shopId}, ${account.id}, ${account.oaId}, ${account.name}, ${account.appId ?? null},
      ${account.secretKey ?? null}, ${account.accessToken ?? null}, ${account.refreshToken ?? null},
      ${account.now}, ${account.now})
    on conflict (shop_id, oa_id) do update
    set name = excluded.name,
      app_id = coalesce(excluded.app_id, oa.app_id),
      secret_key = coalesce(excluded.secret_key, oa.secret_key),
      access_token = coalesce(excluded.access_token, oa.access_token),
      refresh_token = coalesce(excluded.refresh_token, oa.refresh_token),
      updated_at = excluded.updated_at
    returning ${columns}`.execute(db)
  return rows[0]!
}

export async function findOfficialAccount(
  db: Db,
  shopId: ObjectId,
  oaId: string,
): Promise<OfficialAccountRow | undefined> {
  const { rows } = await sql<OfficialAccountRow>`
    select ${columns}
    from official_accounts
    where shop_id = ${shopId} and oa_id = ${oaId}`.execute(db)
  return rows[0]
}

/** The shop's official accounts, in the order they were linked. At most 1,000. */
export async function listOfficialAccounts(db: Db, shopId: ObjectId): Promise<OfficialAccountRow[]> {
  const { rows } = await sql<OfficialAccountRow>`
    select ${columns}
    from official_accounts
    where shop_id = ${shopId}
    order by created_at, id
    limit 1000`.execute(db)
  return rows
}

/** The official account of our id, locked until the transaction ends. */
export async function lockOfficialAccount(
  trx: Trx,
  shopId: ObjectId,
  id: ObjectId,
): Promise<OfficialAccountRow | undefined> {
  const { rows } = await sql<OfficialAccountRow>`
    select ${columns}
    from official_accounts
    where shop_id = ${shopId} and id = ${id}
    for update`.execute(trx)
  return rows[0]
}

/** Writes what the operator decides of an official account; a credential that is undefined stays. */
export async function updateOfficialAccount(
  trx: Trx,
  shopId: ObjectId,
  id: ObjectId,
  account: {
    name: string
    appId: string | null
    pricePhone: number | null
    priceUid: number | null
    secretKey: Buffer | undefined
    accessToken: Buffer | undefined
    refreshToken: Buffer | undefined
    now: Date
  },
): Promise<OfficialAccountRow> {
  const { rows } = await sql<OfficialAccountRow>`
    update official_accounts
    set name = ${account.name}, app_id = ${account.appId}, price_phone = ${account.pricePhone},
      price_uid = ${account.priceUid}, secret_key = coalesce(${account.secretKey ?? null}, secret_key),
      access_token = coalesce(${account.accessToken ?? null}, access_token),
      refresh_token = coalesce(${account.refreshToken ?? null}, refresh_token), updated_at = ${account.now}
    where shop_id = ${shopId} and id = ${id}
    returning ${columns}`.execute(trx)
  return rows[0]!
}

/** Unlinks an official account, unless messages of a batch wait for it. @returns whether it is gone. */
export async function deleteOfficialAccount(trx: Trx, shopId: ObjectId, id: ObjectId): Promise<boolean> {
  const { rows } = await sql`
    delete from official_accounts oa
    where oa.shop_id = ${shopId} and oa.id = ${id} and not exists (
      select from message_batches b
      where b.shop_id = oa.shop_id and b.oa_id = oa.oa_id and b.is_open
    )
    returning oa.id`.execute(trx)
  return rows.length > 0
}

/** Stores a refreshed pair of tokens and ends the claim; done before either is used (the refresh token is single use). */
export async function updateTokens(
  db: Db,
  shopId: ObjectId,
  oaId: string,
  tokens: { accessToken: Buffer; refreshToken: Buffer; now: Date },
): Promise<void> {
  await sql`
    update official_accounts
    set access_token = ${tokens.accessToken}, refresh_token = ${tokens.refreshToken},
      token_refreshed_at = ${tokens.now}, token_refresh_until = null, updated_at = ${tokens.now}
    where shop_id = ${shopId} and oa_id = ${oaId}`.execute(db)
}

/**
 * Claims the renewal of an account's tokens for `leaseMs`, so that no two processes use one refresh token. By the
 * database's clock, the one they share. @returns undefined while another has it.
 */
export async function claimTokenRenewal(
  db: Db,
  shopId: ObjectId,
  oaId: string,
  leaseMs: number,
): Promise<{ until: Date } | undefined> {
  const { rows } = await sql<{ until: Date }>`
    update official_accounts
    set token_refresh_until = date_trunc('milliseconds', now() + make_interval(secs => ${leaseMs / 1000}::float8))
    where shop_id = ${shopId} and oa_id = ${oaId}
      and (token_refresh_until is null or token_refresh_until <= now())
    returning token_refresh_until as until`.execute(db)
  return rows[0]
}

/** Ends a claim that is still the one given. */
export async function releaseTokenRenewal(
  db: Db,
  shopId: ObjectId,
  oaId: string,
  claim: { until: Date },
): Promise<void> {
  await sql`
    update official_accounts
    set token_refresh_until = null
    where shop_id = ${shopId} and oa_id = ${oaId} and token_refresh_until = ${claim.until}`.execute(db)
}
