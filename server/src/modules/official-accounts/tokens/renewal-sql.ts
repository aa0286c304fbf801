import { sql } from 'kysely'
import type { Db, Trx } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

/** An account whose tokens are to be renewed; the token is encrypted. */
export type DueRenewalRow = { shop_id: ObjectId; oa_id: string; access_token: Uint8Array | null }

/**
 * Claims up to `limit` accounts whose tokens were last renewed before `renewedBefore`, or at an unknown time, and that no process
 * has tried to renew since `triedBefore`. Accounts without a refresh token are left out.
 */
export async function claimDueRenewals(
  db: Db,
  {
    renewedBefore,
    triedBefore,
    now,
    limit,
  }: { renewedBefore: Date; triedBefore: Date; now: Date; limit: number },
): Promise<DueRenewalRow[]> {
  const { rows } = await sql<DueRenewalRow>`
    with due as (
      select oa.shop_id, oa.id
      from official_accounts oa
      where oa.refresh_token is not null
        and (oa.token_refreshed_at is null or oa.token_refreshed_at < ${renewedBefore})
        and (oa.renewal_tried_at is null or oa.renewal_tried_at < ${triedBefore})
      order by oa.token_refreshed_at nulls first
      limit ${limit}
      for no key update skip locked
    )
    update official_accounts account
    set renewal_tried_at = ${now}
    from due
    where account.shop_id = due.shop_id and account.id = due.id
    returning account.shop_id, account.oa_id, account.access_token`.execute(db)
  return rows
}

export type FailedRenewalRow = {
  id: ObjectId
  name: string
  is_renewal_refused: boolean
  access_token_until: Date | null
  refresh_token_until: Date | null
  is_disconnected_now: boolean
}

/**
 * Records that an account's tokens could not be renewed. `is_disconnected_now`: this failure makes the account count as
 * disconnected, because the platform refused, or because nothing has worked since `failingBefore`; true only once until a renewal
 * works.
 */
export async function updateFailedRenewal(
  trx: Trx,
  shopId: ObjectId,
  oaId: string,
  failure: { problem: string; isRefused: boolean; failingBefore: Date; now: Date },
): Promise<FailedRenewalRow | undefined> {
  const { rows } = await sql<FailedRenewalRow>`
    with before as (
      select shop_id, id, disconnected_at,
        is_renewal_refused or ${failure.isRefused}::boolean as is_refused,
        coalesce(renewal_failing_since, ${failure.now}::timestamptz) as failing_since
      from official_accounts
      where shop_id = ${shopId} and oa_id = ${oaId}
      for no key update
    )
    update official_accounts account
    set renewal_problem = ${failure.problem}, is_renewal_refused = before.is_refused,
      renewal_failing_since = before.failing_since,
      disconnected_at = case
        when before.disconnected_at is not null then before.disconnected_at
        when before.is_refused or before.failing_since < ${failure.failingBefore} then ${failure.now}::timestamptz
      end
    from before
    where account.shop_id = before.shop_id and account.id = before.id
    returning account.id, account.name, account.is_renewal_refused, account.access_token_until,
      account.refresh_token_until,
      before.disconnected_at is null and account.disconnected_at is not null as is_disconnected_now`.execute(
    trx,
  )
  return rows[0]
}

/** How many official accounts of all shops are disconnected, for the metrics. */
export async function countDisconnected(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n
    from official_accounts
    where disconnected_at is not null`.execute(db)
  return rows[0]!.n
}
