import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'

/** Whether an order may take more than the stock has (G-43). */
export type Oversell = 'allow' | 'deny'

export type ShopRow = {
  id: ObjectId
  name: string
  language: 'vi' | 'en'
  oversell: Oversell
  created_at: Date
  updated_at: Date
}

export type OfficialAccountRow = {
  id: ObjectId
  oa_id: string
  name: string
  app_id: string | null
  secret_key: Uint8Array | null
  access_token: Uint8Array | null
  refresh_token: Uint8Array | null
  webhook_secret: Uint8Array | null
  created_at: Date
  updated_at: Date
}

/** A shop with what every shop has: a wallet at zero and a default warehouse. One statement. */
export async function insertShop(
  db: Db,
  shop: { id: ObjectId; name: string; language: string; oversell: Oversell; now: Date },
  warehouse: { id: ObjectId; name: string },
): Promise<ShopRow> {
  const { rows } = await sql<ShopRow>`
    with shop as (
      insert into shops (id, name, language, oversell, created_at, updated_at)
      values (${shop.id}, ${shop.name}, ${shop.language}, ${shop.oversell}, ${shop.now}, ${shop.now})
      returning id, name, language, oversell, created_at, updated_at
    ), wallet as (
      insert into wallets (shop_id)
      select id from shop
    ), warehouse as (
      insert into warehouses (shop_id, id, name, is_default, created_at, updated_at)
      select id, ${warehouse.id}, ${warehouse.name}, true, created_at, created_at
      from shop
    )
    select * from shop`.execute(db)
  return rows[0]!
}

export async function listShops(db: Db): Promise<ShopRow[]> {
  const { rows } = await sql<ShopRow>`
    select id, name, language, oversell, created_at, updated_at
    from shops
    order by created_at desc, id desc
    limit 10000`.execute(db)
  return rows
}

export async function findShop(db: Db, shopId: ObjectId): Promise<ShopRow | undefined> {
  const { rows } = await sql<ShopRow>`
    select id, name, language, oversell, created_at, updated_at
    from shops
    where id = ${shopId}`.execute(db)
  return rows[0]
}

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
    returning id, oa_id, name, app_id, secret_key, access_token, refresh_token, webhook_secret, created_at,
      updated_at`.execute(db)
  return rows[0]!
}

export async function findOfficialAccount(
  db: Db,
  shopId: ObjectId,
  oaId: string,
): Promise<OfficialAccountRow | undefined> {
  const { rows } = await sql<OfficialAccountRow>`
    select id, oa_id, name, app_id, secret_key, access_token, refresh_token, webhook_secret, created_at, updated_at
    from official_accounts
    where shop_id = ${shopId} and oa_id = ${oaId}`.execute(db)
  return rows[0]
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
