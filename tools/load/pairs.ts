import { cpus, loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BenchDatabase, makeBenchDatabase } from './shared/bench-database.ts'
import { processorMs } from './shared/figures.ts'
import { measure, type Shot } from './shared/load.ts'
import { type Child, start, stop } from './shared/processes.ts'

// npm run bench:pairs: two versions of the service by turns on one database, so that other work of the machine slows both
// down alike. BENCH_BEFORE: the folder of the other checkout, whose migrations must be the same. BENCH_ROUNDS (6),
// BENCH_SECONDS (1), BENCH_ONLY: words of the rows to measure. Each figure is that of its best round.

const SECONDS = Number(process.env.BENCH_SECONDS ?? 1)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 6)
const CONNECTIONS = 16
const MAIN = 'server/src/process/cli/main.ts'
const versions = {
  before: resolve(process.env.BENCH_BEFORE ?? fileURLToPath(new URL('../..', import.meta.url))),
  now: fileURLToPath(new URL('../..', import.meta.url)),
}
type Version = keyof typeof versions
type Row = { title: string; readCacheMb: string; next(service: Child): Promise<() => Shot> }
type Figures = { perSecond: number; p50: number; nodeMs: number; databaseMs: number }

const say = (line: string) => process.stdout.write(`${line}\n`)
const pick = <T>(list: T[]): T => list[Math.floor(Math.random() * list.length)]!

function rowsOf({ shops }: BenchDatabase): Row[] {
  const { apiKey, productIds, orderIds, skuIds } = shops[0]!
  const shot = (path: string): Shot => ({ method: 'GET', path: `/api/external/v1/${path}`, apiKey })
  const read = (title: string, next: () => Shot): Row => ({ title, readCacheMb: '0', next: async () => next })
  const repeated = (title: string, path: string): Row => ({
    title: `${title}, repeated`,
    readCacheMb: '16',
    next: async () => () => shot(path),
  })
  const unchanged = (title: string, path: string): Row => ({
    title: `${title}, 304`,
    readCacheMb: '16',
    async next({ url }) {
      const answer = await fetch(url + shot(path).path, {
        headers: { 'x-api-key': `service-partner ${apiKey}` },
      })
      await answer.arrayBuffer()
      const headers = { 'if-none-match': answer.headers.get('etag')! }
      return () => ({ ...shot(path), headers })
    },
  })
  const sale = (title: string, of: typeof shops): Row => ({
    title,
    readCacheMb: '16',
    next: async () => () => {
      const shop = pick(of)
      const orderItems = [{ id: pick(shop.skuIds), quantity: 1 }]
      return {
        method: 'POST',
        path: '/api/external/order/pos/create',
        apiKey: shop.apiKey,
        body: () => JSON.stringify({ orderItems, paymentMethod: 'cash', isPaid: true }),
      }
    },
  })
  const products = 'products?limit=10&select=skus'
  return [
    repeated('10 products with SKUs', products),
    unchanged('10 products with SKUs', products),
    repeated('one product', `products/${productIds[0]}`),
    unchanged('one product', `products/${productIds[0]}`),
    repeated('10 orders', 'orders?limit=10'),
    unchanged('10 orders', 'orders?limit=10'),
    read('10 products with SKUs (E8)', () => shot(products)),
    read('one product (E9)', () => shot(`products/${pick(productIds)}`)),
    read('10 orders (E12)', () => shot('orders?limit=10')),
    read('one order (E13)', () => shot(`orders/${pick(orderIds)}`)),
    sale('a counter sale (E14), one shop', [{ ...shops[0]!, skuIds }]),
    sale('a counter sale (E14), 19 shops', shops.slice(1, 20)),
  ]
}

async function serve(bench: BenchDatabase, version: Version, readCacheMb: string): Promise<Child> {
  return start(join(versions[version], MAIN), ['serve'], {
    PORT: '0',
    PLATFORM: 'simulator',
    SIMULATOR_PORT: '0',
    DATA_DIR: bench.folder,
    DEMO: '0',
    CONSOLE: '0',
    LOG_LEVEL: process.env.BENCH_LOG_LEVEL ?? 'warn',
    RATE_LIMIT_PER_MINUTE: '1000000000',
    READ_CACHE_MB: readCacheMb,
    ...(bench.url === undefined ? {} : { DATABASE_URL: bench.url }),
  })
}

async function turn(bench: BenchDatabase, service: Child, next: () => Shot): Promise<Figures> {
  const { pid } = service.process
  const databaseMs = await bench.measureMs()
  const before = processorMs(pid!)
  const { perSecond, p50, failures } = await measure(service.url, CONNECTIONS, SECONDS, next)
  if (failures > 0) throw new Error(`${failures} requests failed`)
  const count = perSecond * SECONDS
  return {
    perSecond,
    p50,
    nodeMs: (processorMs(pid!) - before) / count,
    databaseMs: (await databaseMs()) / count,
  }
}

/** Each figure's best round: what other work of the machine disturbed least. */
function best(all: Figures[]): Figures {
  const least = (name: keyof Figures) => Math.min(...all.map((one) => one[name]))
  const perSecond = Math.max(...all.map((one) => one.perSecond))
  return { perSecond, p50: least('p50'), nodeMs: least('nodeMs'), databaseMs: least('databaseMs') }
}

function report(title: string, figures: Record<Version, Figures>): void {
  for (const [version, { perSecond, p50, nodeMs, databaseMs }] of Object.entries(figures))
    say(
      `${title.padEnd(34)} ${version.padEnd(6)} ${perSecond.toFixed(0).padStart(7)} ${p50.toFixed(2).padStart(8)} ${nodeMs.toFixed(3).padStart(9)} ${databaseMs.toFixed(3).padStart(10)}`,
    )
}

/** Both versions run for a row at once, and are measured by turns; the one that waits costs nothing. */
async function measureRow(bench: BenchDatabase, { title, readCacheMb, next }: Row): Promise<void> {
  const services: [Version, Child][] = []
  try {
    for (const version of ['before', 'now'] as const)
      services.push([version, await serve(bench, version, readCacheMb)])
    const found: Record<Version, Figures[]> = { before: [], now: [] }
    for (let round = -1; round < ROUNDS; round++)
      for (const [version, service] of services) {
        const figures = await turn(bench, service, await next(service))
        // The first turn warms up.
        if (round >= 0) found[version].push(figures)
      }
    report(title, { before: best(found.before), now: best(found.now) })
  } finally {
    for (const [, service] of services) await stop(service)
  }
}

const bench = await makeBenchDatabase()
try {
  say(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}, ${bench.url === undefined ? 'embedded database' : 'PostgreSQL'}, ${ROUNDS} rounds of ${SECONDS} s\n`,
  )
  say(`${''.padEnd(41)}   req/s   p50 ms   node ms  database ms`)
  for (const row of rowsOf(bench))
    if (row.title.includes(process.env.BENCH_ONLY ?? '')) await measureRow(bench, row)
} finally {
  await bench.drop()
}
