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

/** What a database reports about itself, even if it was never migrated. One statement. */
export async function findDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version') as version, current_setting('transaction_read_only') = 'on' as "isReadOnly",
      current_setting('TimeZone') as "timeZone",
      exists (select from pg_timezone_names where name = 'Asia/Ho_Chi_Minh') as "knowsVietnam",
      to_regclass('public.schema_migrations') is not null as "hasSchema",
      to_regclass('pgboss.job') is not null as "hasJobs"`.execute(db)
  return rows[0]!
}

/** The database's time. The statement is as short as possible, because it is used to measure clock skew. */
export async function findDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]!.now
}

/** For each queue, how many seconds its first entry has been due; null if nothing is due. */
export type OldestWaits = {
  batches: number | null
  unknown: number | null
  sms: number | null
  platformEvents: number | null
}

/**
 * Reads the first entry of one index for each queue: message_batches_due, messages_to_settle, message_fallbacks_due,
 * platform_events_due. Work of suspended shops is left out: it is meant to wait (G-69).
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

/** For how many seconds the oldest due job of pg-boss has been due; null if none is due. There are few jobs. */
export async function findOldestJobWait(db: Db): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from now() - min(start_after))::integer as seconds
    from pgboss.job
    where state in ('created', 'retry') and start_after <= now()`.execute(db)
  return rows[0]!.seconds
}

/** The same text for a database and its standbys, which share their server's identifier. */
export async function findIdentity(db: Db): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    select system_identifier || '/' || d.oid as identity
    from pg_control_system(), pg_database d
    where d.datname = current_database()`.execute(db)
  return rows[0]!.identity
}
