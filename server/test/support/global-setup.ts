import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { bundleServer, ROOT } from '../../../tools/build/bundle.ts'
import { type Database, openPostgres } from '../../src/db/client.ts'
import { openEmbedded } from '../../src/db/embedded/embedded.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { startJobs } from '../../src/jobs/queue.ts'
import { TIMINGS } from '../../src/timings.ts'
import { type DeclaredRows, readDeclaredRows } from './declared-rows.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * Where the databases of this run are: a folder, or the prefix of their names on a server. Each is a copy of
     * `template` there.
     */
    databaseRun: { folder: string } | { prefix: string }
    /** Where the services of this run that are part of the tests keep their pictures. */
    filesFolder: string
    /** The row types that statement-check.ts compares with the database; empty on a server, whose schema is the same. */
    declaredRows: DeclaredRows
    /**
     * The command line of the server's bundle, built from the sources at the start of the run; undefined with
     * SHOPBELL_FROM_SOURCE=1.
     */
    bundle: string | undefined
  }
}

/**
 * Makes what the tests of a run share, and removes what the run leaves behind: a database to copy, and the server's
 * bundle, from which processes are started. SHOPBELL_FROM_SOURCE=1 starts them from the sources, to debug them.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [removeDatabases, removeBundle] = await Promise.all([makeTemplate(project), makeBundle(project)])
  const files = mkdtempSync(join(tmpdir(), 'shopbell-files-'))
  project.provide('filesFolder', files)
  return async () => {
    await removeDatabases()
    removeBundle()
    rmSync(files, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Built in `node_modules`, where the bundle finds the packages that it needs installed. */
async function makeBundle(project: TestProject): Promise<() => void> {
  if (process.env.SHOPBELL_FROM_SOURCE === '1') return () => {}
  const folder = join(ROOT, `node_modules/.cache/shopbell-test-${process.pid}`)
  const make = async () => {
    await bundleServer(folder)
    // Without a type in package.json, Node would parse each file twice to determine it.
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  }
  await make()
  project.onTestsRerun(make)
  project.provide('bundle', join(folder, 'server/main.js'))
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/**
 * Makes one migrated database with the job queue's tables. Every test database is a copy of it, because migrating takes
 * seconds and copying does not. It is in a folder of this run, or on TEST_DATABASE_URL under a name with the prefix of
 * this run.
 */
async function makeTemplate(project: TestProject): Promise<() => Promise<void> | void> {
  const server = process.env.TEST_DATABASE_URL
  if (server !== undefined) {
    const prefix = `shopbell_test_${randomBytes(4).toString('hex')}_`
    await onServer(server, (client) => client.query(`create database ${prefix}template`))
    const url = new URL(server)
    url.pathname = `/${prefix}template`
    await fill(openPostgres(url.href, { max: 2 }), url.href)
    project.provide('databaseRun', { prefix })
    project.provide('declaredRows', {})
    return () => onServer(server, (client) => dropDatabases(client, prefix))
  }
  const folder = mkdtempSync(join(tmpdir(), 'shopbell-test-'))
  await fill(await openEmbedded(join(folder, 'template')), undefined)
  project.provide('databaseRun', { folder })
  project.provide('declaredRows', readDeclaredRows())
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function fill(database: Database, url: string | undefined): Promise<void> {
  await migrate(database)
  const jobs = await startJobs(database, { url, timings: TIMINGS, log: pino({ level: 'silent' }) })
  await jobs.stop()
  await database.close()
}

async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await work(client)
  await client.end()
}

async function dropDatabases(client: pg.Client, prefix: string): Promise<void> {
  const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [
    prefix,
  ])
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`)
}
