import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isSuspended } from '../shops/suspended-sql.ts'

export type DatabaseFacts = {
  version: string
  isReadOnly: boolean
  timeZone: string
  knowsVietnam: boolean
  hasSchema: boolean
  hasJobs: boolean
}

/** What a database says of itself; also of one that was never migrated. One statement. */
export async function findDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version') as version, current_setting('transaction_read_only') = 'on' as "isReadOnly",
      current_setting('TimeZone') as "timeZone",
      exists (select from pg_timezone_names where name = 'Asia/Ho_Chi_Minh') as "knowsVietnam",
      to_regclass('public.schema_migrations') is not null as "hasSchema",
      to_regclass('pgboss.job') is not null as "hasJobs"`.execute(db)
  return rows[0]!
}

/** The database's time, in as short a statement as there is. */
export async function findDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]!.now
}

/** For how many seconds the first of each queue has been due; null where nothing is. */
export type OldestWaits = {
  batches: number | null
  unknown: number | null
  sms: number | null
  platformEvents: number | null
}

/**
 * Reads the first entry of an index of each: message_batches_due, messages_to_settle, message_fallbacks_due, platform_events_due. What waits in a
 * suspended shop is meant to (G-69).
 */
export async function findOldestWaits(db: Db): Promise<OldestWaits> {
  const { rows } = await sql<OldestWaits>`
    select
      (
        select extract(epoch from now() - due_at)::integer from message_batches
        where is_open and due_at <= now() and not ${isSuspended(sql`message_batches.shop_id`)}
        order by due_at limit 1
      ) as batches,
      (
        select extract(epoch from now() - settle_at)::integer from messages
        where state = 'UNKNOWN' and settle_at <= now() and not ${isSuspended(sql`messages.shop_id`)}
        order by settle_at limit 1
      ) as unknown,
      (
        select extract(epoch from now() - due_at)::integer from message_fallbacks
        where due_at <= now() and not ${isSuspended(sql`message_fallbacks.shop_id`)}
        order by due_at limit 1
      ) as sms,
      (
        select extract(epoch from now() - due_at)::integer from platform_events
        where processed_at is null and due_at <= now()
        order by due_at limit 1
      ) as "platformEvents"`.execute(db)
  return rows[0]!
}

/** The same for the jobs of pg-boss, of which there are few. */
export async function findOldestJobWait(db: Db): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from now() - min(start_after))::integer as seconds
    from pgboss.job
    where state in ('created', 'retry') and start_after <= now()`.execute(db)
  return rows[0]!.seconds
}
