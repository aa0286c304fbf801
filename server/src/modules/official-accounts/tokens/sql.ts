import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

/** The tokens of an official account, and its app's id and secret for renewing them; encrypted. */
export type TokenRow = {
  app_id: string | null
  app_secret: Uint8Array | null
  access_token: Uint8Array | null
  refresh_token: Uint8Array | null
}

export async function findTokens(db: Db, shopId: ObjectId, oaId: string): Promise<TokenRow | undefined> {
  const { rows } = await sql<TokenRow>`
    select oa.app_id, coalesce(app.app_secret, oa.secret_key) as app_secret, oa.access_token, oa.refresh_token
    from official_accounts oa
    left join platform_apps app on app.app_id = oa.app_id
    where oa.shop_id = ${shopId} and oa.oa_id = ${oaId}`.execute(db)
  return rows[0]
}

/**
 * The account's encrypted refresh token, its row locked until the transaction ends; undefined if the account no longer exists.
 */
export async function lockRefreshToken(
  trx: Db,
  shopId: ObjectId,
  oaId: string,
): Promise<Uint8Array | null | undefined> {
  const { rows } = await sql<{ refresh_token: Uint8Array | null }>`
    select refresh_token
    from official_accounts
    where shop_id = ${shopId} and oa_id = ${oaId}
    for no key update`.execute(trx)
  return rows[0]?.refresh_token
}

/**
 * Stores a renewed pair of tokens and ends the claim. Done before either token is used, since the refresh token works only once.
 */
export async function updateTokens(
  db: Db,
  shopId: ObjectId,
  oaId: string,
  tokens: {
    accessToken: Buffer
    refreshToken: Buffer
    accessTokenUntil: Date
    refreshTokenUntil: Date
    now: Date
  },
): Promise<void> {
  await sql`
    update official_accounts
    set access_token = ${tokens.accessToken}, refresh_token = ${tokens.refreshToken},
      access_token_until = ${tokens.accessTokenUntil}, refresh_token_until = ${tokens.refreshTokenUntil},
      token_refreshed_at = ${tokens.now}, token_refresh_until = null, renewal_failing_since = null,
      renewal_problem = null, is_renewal_refused = false, disconnected_at = null, updated_at = ${tokens.now}
    where shop_id = ${shopId} and oa_id = ${oaId}`.execute(db)
}

/**
 * Clears the times of the tokens, after they were entered by hand: the age of the new ones is unknown, and the times of the
 * former ones no longer apply.
 */
export async function forgetTokenTimes(db: Db, shopId: ObjectId, id: ObjectId): Promise<void> {
  await sql`
    update official_accounts
    set access_token_until = null, refresh_token_until = null, token_refreshed_at = null, renewal_tried_at = null,
      renewal_failing_since = null, renewal_problem = null, is_renewal_refused = false, disconnected_at = null
    where shop_id = ${shopId} and id = ${id}`.execute(db)
}

/**
 * Claims the renewal of an account's tokens for `leaseMs`, so that no two processes use the same refresh token. Uses the
 * database's clock, which the processes share. @returns undefined while another process has the claim.
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

/** Ends a claim, unless another one has replaced it. */
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
