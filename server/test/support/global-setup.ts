import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the databases of this run are kept: a folder, or the beginning of their names on a server. */
    databaseRun: { folder: string } | { prefix: string }
  }
}

/**
 * Makes one migrated embedded database for all workers to copy (initdb takes seconds, a copy does not), or on
 * TEST_DATABASE_URL a name that all databases of this run begin with. Removes what the run leaves behind.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void> | void> {
  const server = process.env.TEST_DATABASE_URL
  if (server !== undefined) {
    const prefix = `shopbell_test_${randomBytes(4).toString('hex')}_`
    project.provide('databaseRun', { prefix })
    return () => dropDatabases(server, prefix)
  }
  const folder = mkdtempSync(join(tmpdir(), 'shopbell-test-'))
  const database = await openEmbedded(join(folder, 'template'))
  await migrate(database)
  await database.close()
  project.provide('databaseRun', { folder })
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function dropDatabases(server: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [
    prefix,
  ])
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`)
  await client.end()
}
