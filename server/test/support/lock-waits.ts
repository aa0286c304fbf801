import { sql } from 'kysely'
import type { Db } from '../../src/db/client.ts'
import { eventually } from './eventually.ts'

/** Waits until this many connections of this PostgreSQL database wait for a lock. */
export async function lockWaits(db: Db, wanted: number): Promise<void> {
  await eventually(async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n
      from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows[0]!.n >= wanted
  }, 20_000)
}
