import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

/**
 * Records that a sender lives, for `silenceMs` unless it sends another heartbeat, and holds its advisory lock in `session`, which
 * must be the sender's only connection: a session that already holds the lock takes it again, a new session takes it for the
 * first time. @returns the database's time, and how many senders live, including this one.
 */
export async function upsertSender(
  session: Db,
  senderId: ObjectId,
  silenceMs: number,
): Promise<{ now: Date; living: number }> {
  const { rows } = await sql<{ now: Date; living: number }>`
    with lock as materialized (
      select pg_try_advisory_lock(hashtextextended(${senderId}, 0))
    )
    insert into message_senders (id, seen_at, alive_until)
    select ${senderId}, now(), now() + make_interval(secs => ${silenceMs / 1000})
    from lock
    on conflict (id) do update set seen_at = excluded.seen_at, alive_until = excluded.alive_until
    returning clock_timestamp() as now, (
      select count(*) + 1
      from message_senders
      where id <> ${senderId} and alive_until >= now()
    ) as living`.execute(session)
  return rows[0]!
}

/** Deletes the senders that ended long ago: none of their messages can be in progress. */
export async function deleteOldSenders(db: Db): Promise<void> {
  await sql`
    delete from message_senders
    where seen_at < now() - interval '1 day'`.execute(db)
}

/** The common table expression `dead_senders` (`id`). Holds their locks until the statement's transaction ends. */
export function deadSenders(): RawBuilder<unknown> {
  return sql`dead_senders as materialized (
      select id
      from message_senders
      where case
        when alive_until < now()
          then pg_try_advisory_xact_lock(hashtextextended(id, 0))
        else false
      end
    )`
}
