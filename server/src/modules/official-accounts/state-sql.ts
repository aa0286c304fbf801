import { sql } from 'kysely'
import type { Db, Trx } from '../../db/client.ts'
import { microseconds, pageOf, rowsAfter } from '../../db/fragments/keyset-sql.ts'
import type { Keyset, Place } from '../../lib/lists/place.ts'
import type { ObjectId } from '../../lib/object-id.ts'

/** A linked official account as its shop sees it; it says whether there is a token, but does not contain it. */
export type AccountRow = {
  id: ObjectId
  oa_id: string
  name: string
  has_token: boolean
  token_refreshed_at: Date | null
  /** When it was noticed that its tokens are no longer renewed. */
  disconnected_at: Date | null
  is_renewal_refused: boolean
  access_token_until: Date | null
  refresh_token_until: Date | null
}

/** One page of the shop's official accounts, the oldest link first. */
export async function listAccounts(
  db: Db,
  shopId: ObjectId,
  ids: ObjectId[] | undefined,
  { limit, offset, after }: Place,
): Promise<{ accounts: AccountRow[]; hasMore: boolean; last: Keyset | undefined }> {
  const among = ids === undefined ? sql`` : sql` and id = any(${ids}::text[])`
  const { rows } = await sql<AccountRow & { cursor_key: number }>`
    select id, oa_id, name, access_token is not null as has_token, token_refreshed_at, disconnected_at,
      is_renewal_refused, access_token_until, refresh_token_until, ${microseconds(sql`created_at`)} as cursor_key
    from official_accounts
    where shop_id = ${shopId}${among}${rowsAfter(sql`created_at`, sql`id`, after, { direction: 'asc' })}
    order by created_at, id
    limit ${limit + 1}
    offset ${offset}`.execute(db)
  const { page: accounts, hasMore, last } = pageOf(rows, limit)
  return { accounts, hasMore, last }
}

export type AccountOfShop = {
  id: ObjectId
  oa_id: string
  name: string
  shop_id: ObjectId
  shop_name: string
}

/** The linked official accounts with these ids on the platform, with their shops; for the operator, who sees all shops. */
export async function listAccountsByOaId(db: Db, oaIds: string[]): Promise<AccountOfShop[]> {
  const { rows } = await sql<AccountOfShop>`
    select account.id, account.oa_id, account.name, account.shop_id, shop.name as shop_name
    from official_accounts account
    join shops shop on shop.id = account.shop_id
    where account.oa_id = any(${oaIds})
    order by shop.name, account.oa_id
    limit 1000`.execute(db)
  return rows
}

/**
 * Records that the platform is to be tried again immediately with an account. @returns the account; undefined if the shop has
 * none.
 */
export async function askCircuitRetry(
  trx: Trx,
  shopId: ObjectId,
  id: ObjectId,
  now: Date,
): Promise<AccountOfShop | undefined> {
  const { rows } = await sql<AccountOfShop>`
    update official_accounts account
    set circuit_retry_at = ${now}
    from shops shop
    where account.shop_id = ${shopId} and account.id = ${id} and shop.id = account.shop_id
    returning account.id, account.oa_id, account.name, account.shop_id, shop.name as shop_name`.execute(trx)
  return rows[0]
}

export type CircuitRetry = { shop_id: ObjectId; oa_id: string; circuit_retry_at: Date }

/** When a retry was last requested for each of these accounts, in any shop. Index official_accounts_by_oa. */
export async function listCircuitRetries(db: Db, oaIds: string[]): Promise<CircuitRetry[]> {
  const { rows } = await sql<CircuitRetry>`
    select shop_id, oa_id, circuit_retry_at
    from official_accounts
    where oa_id = any(${oaIds}) and circuit_retry_at is not null
    order by circuit_retry_at`.execute(db)
  return rows
}
