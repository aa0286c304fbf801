import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { INSTALLED } from '../../installed-files.ts'
import type { Database, Db } from '../client.ts'
import { DatabaseUnusable } from '../unusable.ts'
import { migrationNames, numberOf } from './migration-files.ts'

// An arbitrary number that no other advisory lock in the database uses.
const LOCK = 7_403_221

/** Migrations wait for each other without a time limit, because the service could not run on a half-migrated database. */
const BEGIN = `begin;
  set local lock_timeout = 0;
  set local statement_timeout = 0;
  select pg_advisory_xact_lock(${LOCK});`

/**
 * Applies the files of `migrations/` that have not been applied yet, in the order of their names, each in its own
 * transaction. A lock makes a second process that starts meanwhile wait.
 * @returns the names of the migrations applied by this call.
 * @throws DatabaseUnusable, with nothing applied, when the database has a later migration than the last one here, or
 * belongs to another program.
 */
export async function migrate(database: Database): Promise<string[]> {
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
    const text = readFileSync(join(INSTALLED.migrations, name), 'utf8')
    const script = `${BEGIN}
      insert into schema_migrations (name) values ('${name}');
      ${text}
      commit;`
    try {
      await database.execScript(script)
      applied.push(name)
    } catch (error) {
      if (database.kind === 'embedded') await database.execScript('rollback')
      // Another process applied it while this one waited for the lock.
      if (!(await isApplied(database, name))) throw error
    }
  }
  return applied
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
