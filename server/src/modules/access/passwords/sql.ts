import { sql } from 'kysely'
import type { Db, Trx } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

/** The salted hash of a person's password; undefined if no user has this id, or no password is set. */
export async function findPasswordHash(db: Db, userId: ObjectId): Promise<string | undefined> {
  const { rows } = await sql<{ password: string | null }>`
    select password
    from accounts
    where user_id = ${userId} and provider_id = 'credential'`.execute(db)
  return rows[0]?.password ?? undefined
}

/**
 * Sets a person's password, or removes it if `hash` is null, and ends every open reset link and every session except the one with
 * `keepSessionToken`. With `isProved` the address counts as proved from now on. The person must be locked (`lockUsers`): a
 * session that begins at the same time waits for that lock. Index verifications_by_value.
 */
export async function replacePassword(
  trx: Trx,
  userId: ObjectId,
  change: { hash: string | null; keepSessionToken?: string; isProved: boolean; now: Date },
): Promise<void> {
  const { hash, keepSessionToken = null, isProved, now } = change
  await sql`
    with person as (
      update users
      set email_verified = email_verified or ${isProved}, updated_at = ${now}
      where id = ${userId}
    ), ended_sessions as (
      delete from sessions
      where user_id = ${userId} and token is distinct from ${keepSessionToken}::text
    ), ended_links as (
      delete from verifications
      where value = ${userId}
    )
    update accounts
    set password = ${hash}, updated_at = ${now}
    where user_id = ${userId} and provider_id = 'credential'`.execute(trx)
}

/** The person whose password a reset link sets, by its identifier; undefined if it was used or has expired. */
export async function findResetLink(db: Db, identifier: string, now: Date): Promise<ObjectId | undefined> {
  const { rows } = await sql<{ value: ObjectId }>`
    select value
    from verifications
    where identifier = ${identifier} and expires_at > ${now}`.execute(db)
  return rows[0]?.value
}
