import assert from 'node:assert/strict'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { type BenchDatabase, makeBenchDatabase } from './shared/bench-database.ts'
import { processorMs } from './shared/figures.ts'
import { measure, type Shot } from './shared/load.ts'
import { type Child, start, stop } from './shared/processes.ts'
import type { BenchShop } from './shared/seed.ts'

// npm run bench:reads: reads that are repeated while nothing changes (G-70), at 16 connections: each read from the
// database (a service with READ_CACHE_MB=0), from memory, and as 304, beside services without a key or a limit. BENCH_DATABASE_URL (else the embedded database),
// BENCH_SECONDS (5).

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
const CONNECTIONS = 16
const PRODUCTS = '10 products with SKUs'
const say = (line: string) => process.stdout.write(`${line}\n`)

async function row(bench: BenchDatabase, service: Child, title: string, shot: Shot): Promise<number> {
  await measure(service.url, CONNECTIONS, 1, () => shot)
  const databaseMs = await bench.measureMs()
  const before = processorMs(service.process.pid!)
  const { perSecond, p50, p99, failures } = await measure(service.url, CONNECTIONS, SECONDS, () => shot)
  const count = perSecond * SECONDS
  const used = (processorMs(service.process.pid!) - before) / count
  const database = (await databaseMs()) / count
  say(
    `${title.padEnd(44)} ${perSecond.toFixed(0).padStart(7)} ${p50.toFixed(2).padStart(8)} ${p99.toFixed(2).padStart(8)} ${used.toFixed(3).padStart(9)} ${database.toFixed(3).padStart(10)}${failures === 0 ? '' : `  ${failures} FAILED`}`,
  )
  return perSecond
}

async function serve({ folder, url }: BenchDatabase, readCacheMb: string): Promise<Child> {
  return start('server/src/process/cli/main.ts', ['serve'], {
    PORT: '0',
    PLATFORM: 'simulator',
    SIMULATOR_PORT: '0',
    DATA_DIR: folder,
    DEMO: '0',
    CONSOLE: '0',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_MINUTE: '1000000000',
    READ_CACHE_MB: readCacheMb,
    ...(url === undefined ? {} : { DATABASE_URL: url }),
  })
}

function reads({ apiKey, productIds, orderIds }: BenchShop): [string, Shot][] {
  const shot = (path: string): Shot => ({ method: 'GET', path: `/api/external/v1/${path}`, apiKey })
  return [
    [PRODUCTS, shot('products?limit=10&select=skus')],
    ['one product', shot(`products/${productIds[0]}`)],
    ['10 orders', shot('orders?limit=10')],
    ['one order', shot(`orders/${orderIds[0]}`)],
  ]
}

async function fetchOnce(url: string, { path, apiKey }: Shot): Promise<{ etag: string; text: string }> {
  const response = await fetch(url + path, { headers: { 'x-api-key': `service-partner ${apiKey}` } })
  return { etag: response.headers.get('etag')!, text: await response.text() }
}

/**
 * Measures what a service without a key or a limit does: the hand-written list of products (`mapped.ts`), and the same bytes from
 * memory. Returns the rate of the list.
 */
async function reference(
  bench: BenchDatabase,
  text: string,
  isListOfProducts: boolean,
): Promise<number | undefined> {
  const own = { BENCH_REFERENCE_FOLDER: join(bench.folder, 'reference') }
  const bare = await start(
    'tools/load/reference/reference.ts',
    [],
    bench.url ? { BENCH_REFERENCE_URL: bench.url } : own,
  )
  const size = `${(text.length / 1024).toFixed(0)} KB`
  let mapped: number | undefined
  if (isListOfProducts && bench.url !== undefined) {
    const shot: Shot = {
      method: 'GET',
      path: `/mapped?shop=${bench.shops[0]!.shopId}&limit=10&page=1`,
      apiKey: '',
    }
    assert.deepEqual(await (await fetch(bare.url + shot.path)).json(), JSON.parse(text))
    mapped = await row(bench, bare, `reference: the same ${size}, rows mapped in JS`, shot)
  }
  await fetch(`${bare.url}/bytes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  })
  await row(bench, bare, `reference: the same ${size}, bare Fastify`, {
    method: 'GET',
    path: '/bytes',
    apiKey: '',
  })
  await stop(bare)
  return mapped
}

async function main(): Promise<void> {
  const bench = await makeBenchDatabase()
  let service: Child | undefined
  try {
    say(
      `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}, ${bench.url === undefined ? 'embedded database' : 'PostgreSQL'}\n`,
    )
    say(`${''.padEnd(44)}   req/s   p50 ms   p99 ms   node ms  database ms`)
    for (const [title, shot] of reads(bench.shops[0]!)) {
      service = await serve(bench, '0')
      const uncached = await row(bench, service, `${title}, read each time`, shot)
      await stop(service)
      service = await serve(bench, '16')
      const repeated = await row(bench, service, `${title}, repeated`, shot)
      const { etag, text } = await fetchOnce(service.url, shot)
      const headers = { 'if-none-match': etag }
      const unchanged = await row(bench, service, `${title}, 304`, { ...shot, headers })
      const ratio = (rate: number) => `${(rate / uncached).toFixed(1)} times`
      say(`  repeated ${ratio(repeated)} the rate of reading each time, 304 ${ratio(unchanged)}`)
      await stop(service)
      service = undefined
      const mapped = await reference(bench, text, title === PRODUCTS)
      if (mapped !== undefined)
        say(`  read each time: ${((uncached / mapped) * 100).toFixed(0)} % of the rate of mapped rows`)
    }
  } finally {
    service?.process.kill('SIGKILL')
    await bench.drop()
  }
}

await main()
