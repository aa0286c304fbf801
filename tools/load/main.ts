import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '../../server/src/db/client.ts'
import { openEmbedded } from '../../server/src/db/embedded/embedded.ts'
import { migrate } from '../../server/src/db/migrations/migrate.ts'
import { prepareSending, SIMULATOR_SIGNS } from '../shared/sending.ts'
import { memoryMb, metricsOf } from './shared/figures.ts'
import { measure, type Result, type Shot } from './shared/load.ts'
import { type Child, onServer, start, stop } from './shared/processes.ts'
import { type BenchShop, SIZE, seed } from './shared/seed.ts'
import { anyPage, anyShop, PAGE, shots } from './shared/shots.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
const WARM_UP_SECONDS = 2
const OPERATOR_TOKEN = 'operator-token-of-the-bench'

const say = (line: string) => process.stdout.write(`${line}\n`)

const rows: { name: string; connections: number; result: Result }[] = []

function report(name: string, connections: number, result: Result): void {
  rows.push({ name, connections, result })
  const failures = result.failures === 0 ? '' : `  ${result.failures} FAILED`
  say(
    `${name.padEnd(44)} ${String(connections).padStart(4)} ${result.perSecond.toFixed(0).padStart(8)} ${result.p50.toFixed(2).padStart(8)} ${result.p99.toFixed(2).padStart(8)}${failures}`,
  )
}

/** Warms `next` up, then measures it at 1 and 16 connections. */
async function measureBoth(url: string, next: () => Shot): Promise<{ one: Result; sixteen: Result }> {
  await measure(url, 16, WARM_UP_SECONDS, next)
  return { one: await measure(url, 1, SECONDS, next), sixteen: await measure(url, 16, SECONDS, next) }
}

function referenceShot(path: string, shops: BenchShop[], ids: (shop: BenchShop) => string[]): () => Shot {
  return () => {
    const shop = anyShop(shops)
    return {
      method: 'GET',
      path: `${path}?shop=${shop.shopId}&limit=${PAGE}&page=${anyPage(ids(shop).length)}`,
      apiKey: '',
    }
  }
}

async function main(): Promise<void> {
  const server = process.env.BENCH_DATABASE_URL
  const folder = mkdtempSync(join(tmpdir(), 'shopbell-bench-'))
  const name = `shopbell_bench_${randomBytes(4).toString('hex')}`
  const databaseUrl =
    server === undefined ? undefined : Object.assign(new URL(server), { pathname: `/${name}` }).href
  if (server !== undefined) await onServer(server, `create database ${name}`)
  const children: Child[] = []
  try {
    const database =
      databaseUrl === undefined ? await openEmbedded(join(folder, 'pg')) : openPostgres(databaseUrl)
    await migrate(database)
    const shops = await seed(database.db)
    await database.close()

    say(
      `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}, ${databaseUrl === undefined ? 'embedded database' : 'PostgreSQL'}`,
    )
    say(
      `${SIZE.products} products × 2 SKUs and ${SIZE.orders} orders in one of ${SIZE.shops} shops, ${SECONDS} s a row\n`,
    )
    say(`${''.padEnd(44)} conn    req/s   p50 ms   p99 ms  of the reference`)

    const service = await start('server/src/process/cli/main.ts', ['serve'], {
      PORT: '0',
      PLATFORM: 'simulator',
      SIMULATOR_SECRET: SIMULATOR_SIGNS.secretKey,
      SIMULATOR_PORT: '0',
      DATA_DIR: folder,
      DEMO: '0',
      CONSOLE: '0',
      LOG_LEVEL: 'warn',
      OPERATOR_TOKEN,
      RATE_LIMIT_PER_MINUTE: '1000000000',
      // Every row is read from the database; bench:reads measures repeated reads.
      READ_CACHE_MB: '0',
      SIMULATOR_REVIEW_MS: '0',
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    })
    children.push(service)
    const senders = await prepareSending(service.url, OPERATOR_TOKEN, shops.slice(0, 20))
    const all = shots(shops, senders)
    const bytes = await sample(service.url, all['E8 list products (skus, variants)']!)
    const measured: Record<string, { one: Result; sixteen: Result }> = {}
    for (const [title, next] of Object.entries(all)) {
      measured[title] = await measureBoth(service.url, next)
      report(title, 1, measured[title].one)
      report(title, 16, measured[title].sixteen)
    }
    const memory = memoryMb(service.process.pid!)
    const metric = await metricsOf(service.url)
    const metricMb = (name: string) => (metric(name) / 1024 ** 2).toFixed(0)
    await stop(service)
    children.pop()

    const reference = await start('tools/load/reference/reference.ts', [], {
      ...(databaseUrl === undefined
        ? { BENCH_REFERENCE_FOLDER: join(folder, 'pg') }
        : { BENCH_REFERENCE_URL: databaseUrl }),
    })
    children.push(reference)
    for (const [title, path, of, ids] of [
      ['reference: one prepared statement, E8', '/e8', 'E8 list products (skus, variants)', 'productIds'],
      ['reference: one prepared statement, E12', '/e12', 'E12 list orders', 'orderIds'],
    ] as const) {
      const both = await measureBoth(
        reference.url,
        referenceShot(path, shops, (shop) => shop[ids]),
      )
      report(title, 1, both.one)
      report(title, 16, both.sixteen)
      const ours = measured[of]!
      say(
        `  ${of}: ${percent(ours.one, both.one)} of it at 1 connection, ${percent(ours.sixteen, both.sixteen)} at 16`,
      )
    }
    await fetch(`${reference.url}/bytes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: bytes }),
    })
    const fromMemory = await measureBoth(reference.url, () => ({ method: 'GET', path: '/bytes', apiKey: '' }))
    report(`reference: the same ${(bytes.length / 1024).toFixed(0)} KB from memory`, 1, fromMemory.one)
    report(`reference: the same ${(bytes.length / 1024).toFixed(0)} KB from memory`, 16, fromMemory.sixteen)
    say(
      `\nmemory of the service: ${memory.now.toFixed(0)} MB resident after the load, ${memory.peak.toFixed(0)} MB at its peak (heap ${metricMb('nodejs_heap_size_total_bytes')} MB, outside of it ${metricMb('nodejs_external_memory_bytes')} MB)`,
    )
    const failed = rows.filter((row) => row.result.failures > 0)
    if (failed.length > 0) throw new Error(`${failed.length} rows had failing requests`)
  } finally {
    for (const child of children) child.process.kill('SIGKILL')
    if (server !== undefined) await onServer(server, `drop database if exists ${name} with (force)`)
    rmSync(folder, { recursive: true, force: true })
  }
}

const percent = (ours: Result, theirs: Result) =>
  `${((ours.perSecond / theirs.perSecond) * 100).toFixed(0)} %`

async function sample(url: string, next: () => Shot): Promise<string> {
  const shot = next()
  const answer = await fetch(url + shot.path, { headers: { 'x-api-key': `service-partner ${shot.apiKey}` } })
  if (!answer.ok) throw new Error(`${shot.path}: ${answer.status} ${await answer.text()}`)
  return answer.text()
}

await main()
