import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { type Database, openPostgres } from '../../src/db/client.ts'
import { openEmbedded } from '../../src/db/embedded/embedded.ts'

export type TestDatabase = { database: Database; url: string | undefined; remove(): Promise<void> }

const server = process.env.TEST_DATABASE_URL

/** Whether this run uses PostgreSQL. Only there can races occur. */
export const onPostgres = server !== undefined

/** Makes a migrated database for the caller alone, on the server of TEST_DATABASE_URL or embedded. */
export async function makeDatabase(): Promise<TestDatabase> {
  const run = inject('databaseRun')
  return 'prefix' in run ? makePostgres(server!, run.prefix) : makeEmbedded(run.folder)
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

async function makePostgres(serverUrl: string, prefix: string): Promise<TestDatabase> {
  const { url, remove } = await makeEmptyPostgres(serverUrl, prefix, `${prefix}template`)
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

/** Makes an empty database for the caller alone on the server of TEST_DATABASE_URL. */
export async function makeEmptyPostgres(
  serverUrl = server!,
  prefix = (inject('databaseRun') as { prefix: string }).prefix,
  template = 'template1',
): Promise<{ url: string; remove(): Promise<void> }> {
  const name = `${prefix}${randomBytes(6).toString('hex')}`
  await onServer(serverUrl, `create database ${name} template ${template}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, remove: () => onServer(serverUrl, `drop database if exists ${name} with (force)`) }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}
