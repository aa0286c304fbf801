import { sql } from 'kysely'
import type { Db } from '../client.ts'

/** As the settings of PostgreSQL's autovacuum: so many rows, and this part of the table. */
const CHANGED = 'greatest(c.reltuples, 0) * 0.1 + 50'
const DEAD = 'greatest(c.reltuples, 0) * 0.2 + 50'
const INSERTED = 'greatest(c.reltuples, 0) * 0.2 + 1000'

type Table = { name: string; is_changed: boolean; has_dead_rows: boolean }

/**
 * Does for the embedded database what autovacuum, which needs processes of its own, does for PostgreSQL: collects
 * statistics of the tables that changed much, and makes the space of deleted rows usable. Without statistics the planner
 * takes a shop for one row, and reads all of the shop's products to find one by its id. Each table is a statement of its
 * own, so that others run in between.
 */
export async function keepStatistics(db: Db, stopping: Pick<AbortSignal, 'aborted'>): Promise<void> {
  const { rows } = await sql<Table>`
    select s.relname as name,
      s.n_mod_since_analyze > ${sql.raw(CHANGED)} or (c.reltuples < 0 and pg_relation_size(c.oid) > 0) as is_changed,
      s.n_dead_tup > ${sql.raw(DEAD)} or s.n_ins_since_vacuum > ${sql.raw(INSERTED)} as has_dead_rows
    from pg_stat_user_tables s
    join pg_class c on c.oid = s.relid and c.relkind = 'r'
    where s.schemaname = 'public'`.execute(db)
  for (const { name, is_changed: isChanged, has_dead_rows: hasDeadRows } of rows) {
    if (stopping.aborted) return
    if (hasDeadRows) await sql`vacuum (parallel 0) ${sql.id(name)}`.execute(db)
    if (isChanged) await sql`analyze ${sql.id(name)}`.execute(db)
  }
}
