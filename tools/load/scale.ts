import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openPostgres } from '../../server/src/db/client.ts'
import { migrate } from '../../server/src/db/migrations/migrate.ts'
import { measure, type Shot } from './shared/load.ts'
import { type Child, onServer, start, stop } from './shared/processes.ts'
import { type ScaleShop, seedScale } from './shared/scale-seed.ts'

const USAGE = `npm run bench:scale

How the cost of reading grows with a shop: every read at 10,000 and at SCALE_ROWS (1,000,000) products, orders and wallet
entries, and in a shop of 500 beside them, over HTTP. BENCH_DATABASE_URL names the server; SCALE_DATABASE a database there
that is kept for the next run.
`

const SMALL = 10_000
const TINY = 500
const LARGE = Number(process.env.SCALE_ROWS ?? 1_000_000)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 1)
const ROUNDS = 3

type Row = { name: string; path: (shop: ScaleShop) => string }

const products =
  (query: string): Row['path'] =>
  () =>
    `/api/external/v1/products?${query}`
const orders =
  (query: string): Row['path'] =>
  () =>
    `/api/external/v1/orders?${query}`
const customers =
  (query: string): Row['path'] =>
  () =>
    `/api/external/v1/customers?${query}`
const found = (text: string, more = '') => `search=${encodeURIComponent(text)}${more}`

/** Every read whose cost could grow with the data; `capped` as the console and the client request it (G-65). */
const READS: Row[] = [
  { name: 'products, first page', path: products('limit=20') },
  { name: 'products by name, descending', path: products('limit=20&sortBy=name&sortType=desc') },
  {
    name: 'products, last page',
    path: ({ rows }) => `/api/external/v1/products?limit=20&page=${Math.ceil(rows / 20)}`,
  },
  {
    name: 'products, middle page',
    path: ({ rows }) => `/api/external/v1/products?limit=20&page=${Math.floor(rows / 40)}`,
  },
  { name: 'products "áo" (40 %)', path: products(found('áo')) },
  { name: 'products "áo", capped', path: products(found('áo', '&total=capped')) },
  { name: 'products "quần" (8 %)', path: products(found('quần')) },
  { name: 'products "quần", capped', path: products(found('quần', '&total=capped')) },
  { name: 'products "tơ tằm" (rare)', path: products(found('tơ tằm')) },
  { name: 'products "tơ" (rare, short)', path: products(found('tơ')) },
  { name: 'products "xz" (none, short)', path: products(found('xz')) },
  { name: 'products, code AT1… (a ninth)', path: products(found('AT1')) },
  { name: 'products, code AT1…, capped', path: products(found('AT1', '&total=capped')) },
  { name: 'products, whole code', path: products(found('AT499')) },
  { name: 'orders, first page', path: orders('limit=20') },
  {
    name: 'orders, last page',
    path: ({ rows }) => `/api/external/v1/orders?limit=20&page=${Math.ceil(rows / 20)}`,
  },
  { name: 'orders "nguyễn" (28 %)', path: orders(found('nguyễn')) },
  { name: 'orders "nguyễn", capped', path: orders(found('nguyễn', '&total=capped')) },
  { name: 'orders, code', path: orders(found('DH499')) },
  { name: 'orders, phone', path: orders(found('0903951581')) },
  { name: 'orders "xz" (none, short)', path: orders(found('xz')) },
  { name: 'orders "lê", capped', path: orders(found('lê', '&total=capped')) },
  { name: 'orders, full name', path: orders(found('Nguyễn Văn 100')) },
  { name: 'customers, first page', path: customers('limit=20') },
  {
    name: 'customers, last page',
    path: ({ rows }) => `/api/external/v1/customers?limit=20&page=${Math.floor(rows / 60)}`,
  },
  { name: 'customers "nguyễn", capped', path: customers(found('nguyễn', '&total=capped')) },
  { name: 'customers "xz" (none, short)', path: customers(found('xz')) },
  { name: 'customers, phone', path: customers(found('0903951581')) },
  { name: 'overview', path: () => '/api/external/overview' },
]

const say = (line: string) => process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const server = process.env.BENCH_DATABASE_URL
  if (server === undefined || process.argv.includes('--help')) {
    process.stdout.write(USAGE)
    process.exit(server === undefined ? 1 : 0)
  }
  const kept = process.env.SCALE_DATABASE
  const name = kept ?? `shopbell_scale_${randomBytes(4).toString('hex')}`
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href
  const isNew = (await onServer(server, `select from pg_database where datname = '${name}'`)).length === 0
  if (isNew) await onServer(server, `create database ${name}`)
  const folder = mkdtempSync(join(tmpdir(), 'shopbell-scale-'))
  let service: Child | undefined
  try {
    const [tiny, small, large] = (
      isNew ? await fill(url) : await onServer(url, 'select * from scale_shops')
    ) as [ScaleShop, ScaleShop, ScaleShop]
    service = await start('server/src/process/cli/main.ts', ['serve'], {
      PORT: '0',
      SIMULATOR_PORT: '0',
      PLATFORM: 'simulator',
      DATA_DIR: folder,
      DEMO: '0',
      CONSOLE: '0',
      LOG_LEVEL: 'warn',
      OPERATOR_TOKEN: 'operator-token-of-the-bench',
      SECRETS_KEY: '0'.repeat(64),
      RATE_LIMIT_PER_MINUTE: '1000000000',
      // Every row is read from the database; bench:reads measures repeated reads.
      READ_CACHE_MB: '0',
      DATABASE_URL: url,
      DB_STATEMENT_TIMEOUT_MS: '60000',
    })
    say(
      `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}`,
    )
    say(`${SMALL} rows against ${large.rows}; the best of ${ROUNDS} rounds of ${SECONDS} s, in turn\n`)
    say(`${''.padEnd(34)} p50 ms at 1: small  large  tiny   p99 ms at 8: small  large  tiny  ratio`)
    const only = process.env.SCALE_ONLY
    for (const row of READS.filter(({ name: title }) => only === undefined || title.includes(only))) {
      await measureRow({ service: service.url, database: url }, row, [small, large, tiny])
    }
  } finally {
    if (service !== undefined) await stop(service)
    if (kept === undefined) await onServer(server, `drop database if exists ${name} with (force)`)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fill(url: string): Promise<ScaleShop[]> {
  const startedAt = performance.now()
  const database = openPostgres(url)
  await migrate(database)
  const shops = await seedScale(database.db, [TINY, SMALL, LARGE])
  await database.close()
  await onServer(url, 'create table scale_shops ("shopId" text, "apiKey" text, rows integer)')
  for (const { shopId, apiKey, rows } of shops)
    await onServer(url, `insert into scale_shops values ('${shopId}', '${apiKey}', ${rows})`)
  say(`filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  return shops
}

/** Waits for the statements of requests that got no response in time: they would slow down the next measurement. */
async function statementsEnd(url: string): Promise<void> {
  const running = () =>
    onServer(
      url,
      `select from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`,
    )
  while ((await running()).length > 0) await pause(100)
}

/** The best of some rounds for each shop, in turn: other work on the machine slows some rounds. */
async function measureRow(
  { service, database }: { service: string; database: string },
  row: Row,
  shops: ScaleShop[],
): Promise<void> {
  const best = shops.map(() => ({ p50: Number.POSITIVE_INFINITY, p99: Number.POSITIVE_INFINITY }))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, shop] of shops.entries()) {
      const shot = (): Shot => ({ method: 'GET', path: row.path(shop), apiKey: shop.apiKey })
      const one = await measure(service, 1, SECONDS, shot)
      const eight = await measure(service, 8, SECONDS, shot)
      await statementsEnd(database)
      if (one.failures + eight.failures > 0)
        throw new Error(`${row.name}: ${one.failures + eight.failures} failed`)
      best[at]!.p50 = Math.min(best[at]!.p50, one.p50)
      best[at]!.p99 = Math.min(best[at]!.p99, eight.p99)
    }
  }
  // No response came within a round.
  const cell = (ms: number) => (Number.isFinite(ms) ? ms.toFixed(1) : '-').padStart(7)
  const [small, large] = best
  say(
    `${row.name.padEnd(34)}       ${best.map(({ p50 }) => cell(p50)).join('')}          ${best.map(({ p99 }) => cell(p99)).join('')}  ${cell(large!.p99 / small!.p99)}`,
  )
}

await main()
