import { cpus, loadavg } from 'node:os'
import { prepareSending, SIMULATOR_SIGNS } from '../shared/sending.ts'
import { makeBenchDatabase } from './shared/bench-database.ts'
import { memoryMb, metricsOf } from './shared/figures.ts'
import { measure, type Result, type Shot } from './shared/load.ts'
import { type Child, onServer, start, stop } from './shared/processes.ts'
import { SIZE } from './shared/seed.ts'
import { type Operation, shots } from './shared/shots.ts'

const USAGE = `npm run bench:soak

Mixed traffic at half the rate that the service reaches, for SOAK_MINUTES (60), on the server of BENCH_DATABASE_URL. Prints, a
line a minute, what was sent and the memory and event loop of the service; then the slope of the memory after the first
SOAK_SETTLING (10) minutes, and the tables that grew.
`

const MINUTES = Number(process.env.SOAK_MINUTES ?? 60)
const SETTLING = Number(process.env.SOAK_SETTLING ?? 10)
const CONNECTIONS = 16
const PEAK_SECONDS = 20
const SENDERS = 20
const OPERATOR_TOKEN = 'operator-token-of-the-bench'

/** How many of a hundred requests are of each operation: a partner that synchronises, tills, and messages of orders. */
const MIX: Record<Operation, number> = {
  'E8 list products (skus, variants)': 25,
  'E9 read product': 20,
  'E10 create product': 2,
  'E12 list orders': 20,
  'E13 read order': 18,
  'E14 point-of-sale order': 10,
  'E5 send to a phone': 5,
}

type Minute = Result & {
  residentMb: number
  lagP99Ms: number
  lagMaxMs: number
  busyMs: number
  heapMb: number
  outsideMb: number
}

const say = (line: string) => process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  if (process.env.BENCH_DATABASE_URL === undefined || process.argv.includes('--help')) {
    process.stdout.write(USAGE)
    process.exit(process.argv.includes('--help') ? 0 : 1)
  }
  // No SKU is sold out within hours.
  const bench = await makeBenchDatabase({ ...SIZE, pieces: 10_000_000 })
  let service: Child | undefined
  try {
    service = await start('server/src/process/cli/main.ts', ['serve'], {
      PORT: '0',
      PLATFORM: 'simulator',
      SIMULATOR_SECRET: SIMULATOR_SIGNS.secretKey,
      SIMULATOR_PORT: '0',
      DATA_DIR: bench.folder,
      DEMO: '0',
      CONSOLE: '0',
      LOG_LEVEL: 'warn',
      OPERATOR_TOKEN,
      RATE_LIMIT_PER_MINUTE: '1000000000',
      SIMULATOR_REVIEW_MS: '0',
      DATABASE_URL: bench.url!,
    })
    const senders = await prepareSending(service.url, OPERATOR_TOKEN, bench.shops.slice(0, SENDERS))
    const next = mixed(shots(bench.shops, senders))
    say(
      `${new Date().toISOString().slice(0, 16)}, ${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}, PostgreSQL\n`,
    )
    const peak = await measure(service.url, CONNECTIONS, PEAK_SECONDS, next)
    say(`peak ${peak.perSecond.toFixed(0)} a second at ${CONNECTIONS} connections; half of it is sent\n`)
    const before = await rowsOf(bench.url!)
    const minutes = await soak(service, next, peak.perSecond / 2)
    const after = await rowsOf(bench.url!)
    report(minutes)
    say(`\nrows that ${minutes.length} minutes added`)
    for (const [table, rows] of after) {
      const added = rows - (before.get(table) ?? 0)
      if (added > 0) say(`  ${table.padEnd(28)} ${String(added).padStart(9)}`)
    }
  } finally {
    if (service !== undefined) await stop(service)
    await bench.drop()
  }
}

/** A random operation each time, as often as {@link MIX} says. */
function mixed(all: Record<Operation, () => Shot>): () => Shot {
  const hundred = (Object.keys(MIX) as Operation[]).flatMap((name) =>
    Array.from({ length: MIX[name] }, () => name),
  )
  return () => all[hundred[Math.floor(Math.random() * hundred.length)]!]()
}

async function soak(service: Child, next: () => Shot, perSecond: number): Promise<Minute[]> {
  const minutes: Minute[] = []
  say(
    'minute   req/s   p50 ms   p99 ms  failed  resident MB  heap MB  outside MB  loop p99 ms  loop max ms  of it busy',
  )
  await measureProcess(service)
  for (let minute = 1; minute <= MINUTES; minute++) {
    const result = await measure(service.url, CONNECTIONS, 60, next, perSecond)
    const one = {
      ...result,
      residentMb: memoryMb(service.process.pid!).now,
      ...(await measureProcess(service)),
    }
    minutes.push(one)
    say(
      `${String(minute).padStart(6)} ${one.perSecond.toFixed(0).padStart(7)} ${one.p50.toFixed(2).padStart(8)} ${one.p99.toFixed(2).padStart(8)} ${String(one.failures).padStart(7)} ${one.residentMb.toFixed(1).padStart(12)} ${one.heapMb.toFixed(1).padStart(8)} ${one.outsideMb.toFixed(1).padStart(11)} ${one.lagP99Ms.toFixed(1).padStart(12)} ${one.lagMaxMs.toFixed(1).padStart(12)} ${one.busyMs.toFixed(1).padStart(11)}${one.failures > 0 ? `  ${JSON.stringify(one.why)}` : ''}`,
    )
  }
  return minutes
}

/** Memory now, and the event loop's delay since the last call, which contains the 10 ms between two of Node's own looks. */
async function measureProcess({ url }: Child): Promise<Omit<Minute, keyof Result | 'residentMb'>> {
  const value = await metricsOf(url)
  const ms = (name: string) => value(name) * 1000
  const mb = (name: string) => value(name) / 1024 ** 2
  return {
    lagP99Ms: ms('nodejs_eventloop_lag_p99_seconds'),
    lagMaxMs: ms('nodejs_eventloop_lag_max_seconds'),
    busyMs: ms('shopbell_event_loop_busy_max_seconds'),
    heapMb: mb('nodejs_heap_size_used_bytes'),
    outsideMb: mb('nodejs_external_memory_bytes'),
  }
}

async function rowsOf(url: string): Promise<Map<string, number>> {
  const found = (await onServer(
    url,
    `select relname as table, n_live_tup::int as rows from pg_stat_user_tables where schemaname = 'public' order by 2 desc`,
  )) as { table: string; rows: number }[]
  return new Map(found.map(({ table, rows }) => [table, rows]))
}

function report(minutes: Minute[]): void {
  const settled = minutes.slice(SETTLING)
  const failed = minutes.reduce((sum, { failures }) => sum + failures, 0)
  const worst = Math.max(...settled.map(({ lagP99Ms }) => lagP99Ms))
  say(`\nfailed requests: ${failed}`)
  say(`event loop, the worst minute's p99: ${worst.toFixed(1)} ms`)
  say(
    `resident memory after the first ${SETTLING} minutes: ${(slope(settled.map(({ residentMb: mb }) => mb)) * 60).toFixed(1)} MB an hour (least squares), ${settled[0]?.residentMb.toFixed(1)} → ${settled.at(-1)?.residentMb.toFixed(1)} MB`,
  )
}

/** By how much the values rise from one to the next, by least squares. */
function slope(values: number[]): number {
  const mean = (list: number[]) => list.reduce((sum, one) => sum + one, 0) / list.length
  const at = values.map((_, index) => index)
  const [midX, midY] = [mean(at), mean(values)]
  const over = values.reduce((sum, value, x) => sum + (x - midX) * (value - midY), 0)
  return over / at.reduce((sum, x) => sum + (x - midX) ** 2, 0)
}

await main()
