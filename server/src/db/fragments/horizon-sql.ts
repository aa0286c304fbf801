import { sql } from 'kysely'
import type { Db } from '../client.ts'

/** The cluster's id. It changes when the data is restored into a new cluster, which numbers its transactions from the start. */
export const databaseId = sql`(select system_identifier::text from pg_control_system())`

/** Extends the 32-bit number of an open transaction to 64 bits, using the snapshot's end, which is close to it. */
const wholeXid = sql`s.xmax + ((o.xid - s.xmax % 4294967296 + 6442450944) % 4294967296) - 2147483648`

/**
 * The number below which all transactions of this database have ended, so that each later statement sees what they
 * wrote: the oldest open transaction, or the snapshot's end if none is open. Open transactions are listed separately,
 * after the snapshot was taken, because each snapshot also includes those of the server's other databases. If the
 * sessions of other roles are hidden from ours, the snapshot's beginning is used, which also waits for the other
 * databases (decision 0026).
 */
export async function findHorizon(db: Db): Promise<string> {
  const { rows } = await sql<{ horizon: string }>`
    with s as materialized (
      select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin,
        pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xmax
    ), o as materialized (
      select a.backend_xid::text::bigint as xid, a.query = '<insufficient privilege>' as is_hidden
      from pg_stat_activity a
      where a.datname = current_database() and a.usesysid is not null
      union all
      select p.transaction::text::bigint, false
      from pg_prepared_xacts p
      where p.database = current_database()
    )
    select (case when coalesce(bool_or(o.is_hidden), false) then min(s.xmin) else least(min(s.xmax), min(${wholeXid})) end)::text as horizon
    from s
    left join o on true`.execute(db)
  return rows[0]!.horizon
}
