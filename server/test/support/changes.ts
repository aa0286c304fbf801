import { sql } from 'kysely'
import type { Db } from '../../src/db/client.ts'
import { findHorizon } from '../../src/db/fragments/horizon-sql.ts'
import { eventually } from './eventually.ts'

/**
 * Waits until the feed of changes returns everything that is committed now: the service's own transactions may hold it
 * back.
 */
export async function feedCaughtUp(db: Db): Promise<void> {
  const { rows } = await sql<{ xid: string }>`select pg_current_xact_id()::text as xid`.execute(db)
  // A transaction of any database of the server holds it back, and other tests have some of half a minute.
  await eventually(async () => BigInt(await findHorizon(db)) > BigInt(rows[0]!.xid), 60_000)
}
