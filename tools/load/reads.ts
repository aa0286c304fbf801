import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '../../server/src/db/client.ts'
import { openEmbedded } from '../../server/src/db/embedded/embedded.ts'
import { migrate } from '../../server/src/db/migrations/migrate.ts'
import { measure, type Shot } from './load.ts'
import { type Child, onServer, start, stop } from './processes.ts'
import { type BenchShop, seed } from './seed.ts'

// npm run bench:reads: reads that are repeated while nothing changes (G-70), at 16 connections: each read from the
// database (a service with READ_CACHE_MB=0), from memory, and as 304. BENCH_DATABASE_URL (else the embedded database),
// BENCH_SECONDS (5).

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
const CONNECTIONS = 16
const server = process.env.BENCH_DATABASE_URL
const folder = mkdtempSync(join(tmpdir(), 'shopbell-bench-'))
const name = `shopbell_bench_${randomBytes(4).toString('hex')}`
const databaseUrl =
  server === undefined ? undefined : Object.assign(new URL(server), { pathname: `/${name}` }).href

const say = (line: string) => process.stdout.write(`${line}\n`)

function processorMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return Number.NaN
  }
}

/** The processor time used by the database's processes so far, if they run on this machine. */
async function databaseMs(): Promise<number> {
  if (databaseUrl === undefined) return 0
  const pids = (await onServer(
    databaseUrl,
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'shopbell'`,
  )) as { pid: number }[]
  return pids.reduce((sum, { pid }) => sum + processorMs(pid), 0)
}

async function row(service: Child, title: string, shot: Shot): Promise<number> {
  await measure(service.url, CONNECTIONS, 1, () => shot)
  const before = { service: processorMs(service.process.pid!), database: await databaseMs() }
  const { perSecond, p50, p99, failures } = await measure(service.url, CONNECTIONS, SECONDS, () => shot)
  const count = perSecond * SECONDS
  const used = (processorMs(service.process.pid!) - before.service) / count
  const database = ((await databaseMs()) - before.database) / count
  say(
    `${title.padEnd(44)} ${perSecond.toFixed(0).padStart(7)} ${p50.toFixed(2).padStart(8)} ${p99.toFixed(2).padStart(8)} ${used.toFixed(3).padStart(9)} ${database.toFixed(3).padStart(10)}${failures === 0 ? '' : `  ${failures} FAILED`}`,
  )
  return perSecond
}

async function serve(readCacheMb: string): Promise<Child> {
  return start('../../server/src/process/cli/main.ts', ['serve'], {
    PORT: '0',
    PLATFORM: 'simulator',
    SIMULATOR_PORT: '0',
    DATA_DIR: folder,
    DEMO: '0',
    CONSOLE: '0',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_MINUTE: '1000000000',
    READ_CACHE_MB: readCacheMb,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  })
}

function reads({ apiKey, productIds, orderIds }: BenchShop): [string, Shot][] {
  const shot = (path: string): Shot => ({ method: 'GET', path: `/api/external/v1/${path}`, apiKey })
  return [
    ['10 products with SKUs', shot('products?limit=10&select=skus')],
    ['one product', shot(`products/${productIds[0]}`)],
    ['10 orders', shot('orders?limit=10')],
    ['one order', shot(`orders/${orderIds[0]}`)],
  ]
}

async function fetchOnce(url: string, { path, apiKey }: Shot): Promise<{ etag: string; text: string }> {
  const response = await fetch(url + path, { headers: { 'x-api-key': `service-partner ${apiKey}` } })
  return { etag: response.headers.get('etag')!, text: await response.text() }
}

/** Measures a bare Fastify with the same bytes from memory, without a key or a limit. */
async function reference(text: string): Promise<void> {
  const own = { BENCH_REFERENCE_FOLDER: join(folder, 'reference') }
  const bare = await start('./reference.ts', [], databaseUrl ? { BENCH_REFERENCE_URL: databaseUrl } : own)
  await fetch(`${bare.url}/bytes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  })
  const title = `reference: the same ${(text.length / 1024).toFixed(0)} KB, bare Fastify`
  await row(bare, title, { method: 'GET', path: '/bytes', apiKey: '' })
  await stop(bare)
}

async function main(): Promise<void> {
  if (server !== undefined) await onServer(server, `create database ${name}`)
  let service: Child | undefined
  try {
    const database =
      databaseUrl === undefined ? await openEmbedded(join(folder, 'pg')) : openPostgres(databaseUrl)
    await migrate(database)
    const [shop] = await seed(database.db)
    await database.close()
    say(
      `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}, ${server === undefined ? 'embedded database' : 'PostgreSQL'}\n`,
    )
    say(`${''.padEnd(44)}   req/s   p50 ms   p99 ms   node ms  database ms`)
    const uncached = new Map<string, number>()
    for (const [title, shot] of reads(shop!)) {
      service = await serve('0')
      uncached.set(title, await row(service, `${title}, read each time`, shot))
      await stop(service)
      service = await serve('16')
      const repeated = await row(service, `${title}, repeated`, shot)
      const { etag, text } = await fetchOnce(service.url, shot)
      const headers = { 'if-none-match': etag }
      const unchanged = await row(service, `${title}, 304`, { ...shot, headers })
      const ratio = (rate: number) => `${(rate / uncached.get(title)!).toFixed(1)} times`
      say(`  repeated ${ratio(repeated)} the rate of reading each time, 304 ${ratio(unchanged)}`)
      await stop(service)
      service = undefined
      await reference(text)
    }
  } finally {
    service?.process.kill('SIGKILL')
    if (server !== undefined) await onServer(server, `drop database if exists ${name} with (force)`)
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()
