import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

/**
 * Deletes up to `limit` sessions, or links for setting a password, that expired before `before`. @returns how many. Indexes
 * sessions_by_expiry and verifications_by_expiry.
 */
export async function deleteExpired(
  db: Db,
  table: 'sessions' | 'verifications',
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { rows } = await sql`
    with due as (
      select id
      from ${sql.raw(table)}
      where expires_at < ${before}
      order by expires_at
      limit ${limit}
      for update skip locked
    )
    delete from ${sql.raw(table)}
    where id in (select id from due)
    returning id`.execute(db)
  return rows.length
}

/** Ends every session of a person. */
export async function deleteSessions(db: Db, userId: ObjectId): Promise<void> {
  await sql`
    delete from sessions
    where user_id = ${userId}`.execute(db)
}
