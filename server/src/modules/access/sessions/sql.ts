import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

/** Deletes up to `limit` sessions that ended before. @returns how many. Index sessions_by_expiry. */
export async function deleteExpiredSessions(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { rows } = await sql`
    delete from sessions
    where id in (
      select id
      from sessions
      where expires_at < ${before}
      order by expires_at
      limit ${limit}
      for update skip locked
    )
    returning id`.execute(db)
  return rows.length
}

/** Deletes up to `limit` links to set a password that ended before. @returns how many. Index verifications_by_expiry. */
export async function deleteExpiredVerifications(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { rows } = await sql`
    delete from verifications
    where id in (
      select id
      from verifications
      where expires_at < ${before}
      order by expires_at
      limit ${limit}
      for update skip locked
    )
    returning id`.execute(db)
  return rows.length
}

/** Ends every session of a person. */
export async function deleteSessions(db: Db, userId: ObjectId): Promise<void> {
  await sql`
    delete from sessions
    where user_id = ${userId}`.execute(db)
}
