import { sql } from 'kysely'
import type { Db, Trx } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

/** An app through which accounts can be connected; the secret is encrypted. */
export type ConnectingApp = { app_id: string; app_secret: Uint8Array }

/** The apps that have a secret, in the order in which they were first set. */
export async function listConnectingApps(db: Db): Promise<ConnectingApp[]> {
  const { rows } = await sql<ConnectingApp>`
    select app_id, app_secret
    from platform_apps
    where app_secret is not null
    order by created_at, app_id
    limit 100`.execute(db)
  return rows
}

/** Records that somebody was sent to the consent page. */
export async function insertConnect(
  db: Db,
  shopId: ObjectId,
  connect: { stateHash: Buffer; sessionHash: Buffer; appId: string; verifier: Buffer; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into account_connects (shop_id, state_hash, session_hash, app_id, verifier, expires_at)
    values (${shopId}, ${connect.stateHash}, ${connect.sessionHash}, ${connect.appId}, ${connect.verifier},
      ${connect.expiresAt})`.execute(db)
}

/** Removes and returns the record for this state and session, once. @returns undefined if there is none, or it has expired. */
export async function takeConnect(
  db: Db,
  shopId: ObjectId,
  { stateHash, sessionHash, now }: { stateHash: Buffer; sessionHash: Buffer; now: Date },
): Promise<{ app_id: string; verifier: Uint8Array } | undefined> {
  const { rows } = await sql<{ app_id: string; verifier: Uint8Array }>`
    delete from account_connects
    where shop_id = ${shopId} and state_hash = ${stateHash} and session_hash = ${sessionHash} and expires_at > ${now}
    returning app_id, verifier`.execute(db)
  return rows[0]
}

/** Deletes up to `limit` records that expired before `before`; index account_connects_expired. @returns how many. */
export async function deleteExpiredConnects(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { rows } = await sql`
    with due as (
      select shop_id, state_hash
      from account_connects
      where expires_at < ${before}
      order by expires_at
      limit ${limit}
      for update skip locked
    )
    delete from account_connects
    where (shop_id, state_hash) in (select shop_id, state_hash from due)
    returning state_hash`.execute(db)
  return rows.length
}

/** Locks an official account's id until the transaction ends, so that only one shop at a time can connect it. */
export async function lockOaId(trx: Trx, oaId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`official account ${oaId}`}, 0))`.execute(trx)
}

/** Whether a shop other than this one has linked the account. */
export async function isLinkedElsewhere(db: Db, shopId: ObjectId, oaId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from official_accounts oa
    where oa.oa_id = ${oaId} and oa.shop_id <> ${shopId}
    limit 1`.execute(db)
  return rows.length > 0
}
