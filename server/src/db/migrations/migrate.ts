import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { INSTALLED } from '../../installed-files.ts'
import type { Log } from '../../lib/log.ts'
import { type Database, type Db, sqlProblem } from '../client.ts'
import { DatabaseUnusable } from '../unusable.ts'
import { migrationNames, numberOf } from './migration-files.ts'

// An arbitrary number that no other advisory lock in the database uses.
const LOCK = 7_403_221

/**
 * How long a migration waits for a table. Everyone else who needs the table queues behind it, so it waits briefly and
 * tries again, and the others run in between.
 */
const LOCK_WAIT_SECONDS = 1
const BETWEEN_ATTEMPTS_MS = 3_000
const LOCK_NOT_AVAILABLE = '55P03'

/** Migrations wait for each other without a time limit, because the service could not run on a half-migrated database. */
const BEGIN = `begin;
  set local lock_timeout = 0;
  set local statement_timeout = 0;
  select pg_advisory_xact_lock(${LOCK});
  set local lock_timeout = '${LOCK_WAIT_SECONDS}s';`

/**
 * Applies the files of `migrations/` that have not been applied yet, in the order of their names, each in its own
 * transaction. A lock makes a second process that starts meanwhile wait. A migration that a long transaction keeps from a
 * table is tried again until it is applied, and the log says so; it also has each one applied to a database in use.
 * @returns the names of the migrations applied by this call.
 * @throws DatabaseUnusable, with nothing applied, when the database has a later migration than the last one here, or
 * belongs to another program.
 */
export async function migrate(database: Database, log?: Pick<Log, 'info' | 'warn'>): Promise<string[]> {
  const foreign = await findForeignTable(database.db)
  if (foreign !== undefined)
    throw new DatabaseUnusable(
      `The database belongs to another program (it has the table ${foreign}): give Shopbell an empty database. Nothing was changed.`,
    )
  // Needs the lock too: when two processes create a table at the same time, one gets a unique violation in the
  // catalogue.
  await database.execScript(`${BEGIN}
    create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now());
    commit;`)
  const names = migrationNames()
  const newest = await newestApplied(database.db)
  const ours = names.at(-1)!
  if (newest !== undefined && numberOf(newest) > numberOf(ours)) {
    throw new DatabaseUnusable(
      `The database is at schema ${numberOf(newest)}, this Shopbell knows ${numberOf(ours)}: start the version that migrated it, or a later one.`,
    )
  }
  const applied: string[] = []
  for (const name of names) {
    if (await isApplied(database, name)) continue
    const startedAt = performance.now()
    if (!(await apply(database, name, log))) continue
    applied.push(name)
    const ms = Math.round(performance.now() - startedAt)
    if (newest !== undefined) log?.info({ migration: name, ms }, 'a migration was applied')
  }
  return applied
}

/** @returns whether this call applied it, and not another process meanwhile. */
async function apply(database: Database, name: string, log?: Pick<Log, 'warn'>): Promise<boolean> {
  const text = readFileSync(join(INSTALLED.migrations, name), 'utf8')
  const script = `${BEGIN}
    insert into schema_migrations (name) values ('${name}');
    ${text}
    commit;`
  for (;;) {
    try {
      await database.execScript(script)
      return true
    } catch (error) {
      if (database.kind === 'embedded') await database.execScript('rollback')
      // Another process applied it while this one waited for the lock.
      if (await isApplied(database, name)) return false
      if (sqlProblem(error)?.state !== LOCK_NOT_AVAILABLE) throw error
    }
    const pids = await listHolders(database.db)
    log?.warn(
      { migration: name, pids },
      'a migration waits for transactions that are open, and is tried again',
    )
    await pause(BETWEEN_ATTEMPTS_MS)
  }
}

/**
 * The server processes whose transactions hold tables of this database and began before the last attempt waited. Another
 * user's transaction has no visible beginning.
 */
async function listHolders(db: Db): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select distinct pid
    from pg_locks l
    join pg_class c on c.oid = l.relation and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
    join pg_stat_activity a using (pid)
    where l.database = (select oid from pg_database where datname = current_database()) and l.granted
      and coalesce(a.xact_start < now() - make_interval(secs => ${sql.lit(LOCK_WAIT_SECONDS)}), true)
    order by pid`.execute(db)
  return rows.map(({ pid }) => pid)
}

async function isApplied(database: Database, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from schema_migrations where name = ${name}`.execute(database.db)
  return rows.length > 0
}

/** The last migration applied to this database; undefined if none was. */
export async function newestApplied(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{
    name: string | null
  }>`select max(name) as name from schema_migrations`.execute(db)
  return rows[0]?.name ?? undefined
}

/**
 * The name of a table that shows that another program uses the database; undefined for a Shopbell database and for an
 * empty one. Tables that an extension created are ignored.
 */
export async function findForeignTable(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select c.relname::text as name
    from pg_catalog.pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and to_regclass('public.schema_migrations') is null
      and not exists (
        select from pg_catalog.pg_depend d
        where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
      )
    order by c.relname
    limit 1`.execute(db)
  return rows[0]?.name
}
