import { sql } from 'kysely'
import type { WaitLimits } from '../config.ts'
import type { Db } from './client.ts'
import { DatabaseUnreachable } from './unreachable.ts'

/** The pooler's connections do not have the settings that this service needs. The message says what to set in the pooler. */
export class PoolerSettings extends Error {}

/** The SQL that makes a session's settings. PgBouncer runs it as its `connect_query`. */
export function connectQuery({ lockMs, statementMs, idleInTransactionMs }: WaitLimits): string {
  return [
    'set timezone to UTC',
    'set jit to off',
    `set lock_timeout to ${lockMs}`,
    `set statement_timeout to ${statementMs}`,
    `set idle_in_transaction_session_timeout to ${idleInTransactionMs}`,
  ].join('; ')
}

/**
 * Checks the settings of a connection through the pooler. A pooler in transaction mode drops a client's own settings;
 * without them, instants would be read in another time zone and a statement could wait forever.
 * @throws PoolerSettings, or DatabaseUnreachable
 */
export async function checkPooler(db: Db, url: string, limits: WaitLimits): Promise<void> {
  const names = [
    'TimeZone',
    'jit',
    'lock_timeout',
    'statement_timeout',
    'idle_in_transaction_session_timeout',
  ]
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name = any (${names})`
    .execute(db)
    .catch((error: unknown) => {
      throw new DatabaseUnreachable(url, error, 'DATABASE_POOL_URL')
    })
  const set = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
  const isSet =
    ['UTC', 'Etc/UTC'].includes(set.TimeZone!) &&
    set.jit === 'off' &&
    set.lock_timeout === String(limits.lockMs) &&
    set.statement_timeout === String(limits.statementMs) &&
    set.idle_in_transaction_session_timeout === String(limits.idleInTransactionMs)
  if (isSet) return
  throw new PoolerSettings(
    `DATABASE_POOL_URL: the pooler does not set up its connections as required; in pgbouncer.ini, give its database connect_query='${connectQuery(limits)}'`,
  )
}
