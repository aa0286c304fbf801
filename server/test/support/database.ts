import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type Database, openPostgres } from '../../src/db/client.ts'
import { openEmbedded } from '../../src/db/embedded/embedded.ts'
import { copyOnServer, onServer } from './on-server.ts'

export type TestDatabase = { database: Database; url: string | undefined; remove(): Promise<void> }

/** Whether this run uses PostgreSQL. Only there can races occur. */
export const onPostgres = process.env.TEST_DATABASE_URL !== undefined

/** Makes a migrated database for the caller alone, on the server of TEST_DATABASE_URL or embedded. */
export async function makeDatabase(): Promise<TestDatabase> {
  const run = inject('databaseRun')
  return 'prefix' in run ? makePostgres() : makeEmbedded(run.folder)
}

async function makeEmbedded(runFolder: string): Promise<TestDatabase> {
  const folder = mkdtempSync(join(runFolder, 'database-'))
  cpSync(join(runFolder, 'template'), join(folder, 'pg'), { recursive: true })
  const database = await openEmbedded(join(folder, 'pg'))
  return {
    database,
    url: undefined,
    async remove() {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function makePostgres(): Promise<TestDatabase> {
  const { url, remove } = await makeOnServer('template')
  const database = openPostgres(url, { max: 6 })
  return {
    database,
    url,
    async remove() {
      await database.close()
      await remove()
    },
  }
}

/**
 * Makes a database for the caller alone on the server of TEST_DATABASE_URL: an empty one, or a copy of the run's database
 * of that name.
 */
export async function makeOnServer(
  copied?: 'template' | 'demo',
): Promise<{ url: string; remove(): Promise<void> }> {
  const { server, prefix } = inject('databaseRun') as { server: string; prefix: string }
  const name = `${prefix}${randomBytes(6).toString('hex')}`
  const url = await copyOnServer(server, copied === undefined ? 'template1' : `${prefix}${copied}`, name)
  return {
    url,
    async remove() {
      await onServer(server, `drop database if exists ${name} with (force)`)
    },
  }
}
