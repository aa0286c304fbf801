import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '../../../server/src/db/client.ts'
import { openEmbedded } from '../../../server/src/db/embedded/embedded.ts'
import { migrate } from '../../../server/src/db/migrations/migrate.ts'
import { processorMs } from './figures.ts'
import { onServer } from './processes.ts'
import { type BenchShop, SIZE, seed } from './seed.ts'

export type BenchDatabase = {
  /** A folder of its own, with the embedded database where BENCH_DATABASE_URL names no server. */
  folder: string
  url: string | undefined
  shops: BenchShop[]
  /** Begins to measure the processor time of the database's processes for services; what it gives ends that. */
  measureMs(): Promise<() => Promise<number>>
  drop(): Promise<void>
}

/** A new migrated database with the shops of `seed`, on the server of BENCH_DATABASE_URL, else embedded. */
export async function makeBenchDatabase(size = SIZE): Promise<BenchDatabase> {
  const server = process.env.BENCH_DATABASE_URL
  const folder = mkdtempSync(join(tmpdir(), 'shopbell-bench-'))
  const name = `shopbell_bench_${randomBytes(4).toString('hex')}`
  const url = server === undefined ? undefined : Object.assign(new URL(server), { pathname: `/${name}` }).href

  async function drop(): Promise<void> {
    if (server !== undefined) await onServer(server, `drop database if exists ${name} with (force)`)
    rmSync(folder, { recursive: true, force: true })
  }

  if (server !== undefined) await onServer(server, `create database ${name}`)
  try {
    const database = url === undefined ? await openEmbedded(join(folder, 'pg')) : openPostgres(url)
    await migrate(database)
    const shops = await seed(database.db, size)
    await database.close()
    return { folder, url, shops, measureMs: () => measureDatabase(url), drop }
  } catch (error) {
    await drop()
    throw error
  }
}

/** A connection that is closed meanwhile is not counted. */
async function measureDatabase(url: string | undefined): Promise<() => Promise<number>> {
  if (url === undefined) return async () => 0
  const look = async () => {
    const found = (await onServer(
      url,
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'shopbell'`,
    )) as { pid: number }[]
    return new Map(found.map(({ pid }) => [pid, processorMs(pid)]))
  }
  const before = await look()
  return async () => {
    let sum = 0
    for (const [pid, ms] of await look()) sum += ms - (before.get(pid) ?? 0) || 0
    return sum
  }
}
