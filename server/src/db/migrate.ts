import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { Database } from './client.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)
// Any number that nothing else in the database locks.
const LOCK = 7_403_221

/**
 * Applies the files of `migrations/` that are not applied yet, in the order of their names, each in a
 * transaction of its own, under a lock that a second process starting meanwhile waits for.
 * @returns the names applied now.
 */
export async function migrate(database: Database): Promise<string[]> {
  await database.execScript(
    'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  const applied: string[] = []
  for (const name of migrationNames()) {
    if (await isApplied(database, name)) continue
    const text = readFileSync(fileURLToPath(new URL(name, FOLDER)), 'utf8')
    const script = `begin;
      select pg_advisory_xact_lock(${LOCK});
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

/** The migrations that this code knows, oldest first. */
export function migrationNames(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort()
}

async function isApplied(database: Database, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from schema_migrations where name = ${name}`.execute(database.db)
  return rows.length > 0
}
