import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openPostgres } from '../../server/src/db/client.ts'
import { openEmbedded } from '../../server/src/db/embedded/embedded.ts'
import { migrate } from '../../server/src/db/migrations/migrate.ts'
import { measure, type Shot } from './shared/load.ts'
import { type Child, onServer, start } from './shared/processes.ts'
import { type BenchShop, seed } from './shared/seed.ts'

// npm run bench:webhooks: counter sales in one shop without endpoints and with 20 that take all events, in turns, and
// how long after the sale's response its first delivery arrives. BENCH_SECONDS (5), BENCH_TURNS (3), BENCH_DATABASE_URL
// (else embedded).

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
const TURNS = Number(process.env.BENCH_TURNS ?? 3)
const server = process.env.BENCH_DATABASE_URL
const CONNECTIONS = 16
const ENDPOINTS = 20
const SALES_WATCHED = 100
/** How long the backlog is delivered after the sales, before its endpoints are deleted. */
const REST_MS = 2_000
const WEBHOOKS = '/api/external/webhooks'
const SALE = '/api/external/order/pos/create'

const say = (line: string) => process.stdout.write(`${line}\n`)
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Responds to every delivery at once; counts them, and records when each order's first event arrived. */
async function receive() {
  const seen = { count: 0, at: new Map<string, number>() }
  const receiver = createServer((request, reply) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      reply.end()
      seen.count += 1
      const order = /"orderId": ?"(\w+)"/.exec(body)?.[1]
      if (order !== undefined && !seen.at.has(order)) seen.at.set(order, performance.now())
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  return { seen, receiver, url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}` }
}

/** Returns a function that calls the service for the shop. */
function callerOf(service: Child, shop: BenchShop) {
  // biome-ignore lint/suspicious/noExplicitAny: the wire's records
  return async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await fetch(service.url + path, {
      method,
      headers: {
        'x-api-key': `service-partner ${shop.apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'shopbell-bench-'))
  const name = `shopbell_bench_${randomBytes(4).toString('hex')}`
  const databaseUrl =
    server === undefined ? undefined : Object.assign(new URL(server), { pathname: `/${name}` }).href
  if (server !== undefined) await onServer(server, `create database ${name}`)
  const { seen, receiver, url } = await receive()
  let service: Child | undefined
  try {
    const database =
      databaseUrl === undefined ? await openEmbedded(join(folder, 'pg')) : openPostgres(databaseUrl)
    await migrate(database)
    const small = { shops: 1, products: 1_000, orders: 1_000, smallProducts: 20, smallOrders: 20 }
    const [shop] = (await seed(database.db, small)) as [BenchShop]
    await database.close()
    const load = readFileSync('/proc/loadavg', 'utf8').split(' ')[0]
    say(
      `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, load ${load}, Node ${process.versions.node}, ${server === undefined ? 'embedded database' : 'PostgreSQL'}`,
    )
    service = await start('server/src/process/cli/main.ts', ['serve'], {
      PORT: '0',
      PLATFORM: 'simulator',
      SIMULATOR_PORT: '0',
      DATA_DIR: folder,
      DEMO: '0',
      CONSOLE: '0',
      LOG_LEVEL: 'warn',
      OUTBOUND_ALLOW_PRIVATE: '1',
      RATE_LIMIT_PER_MINUTE: '1000000000',
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    })
    const call = callerOf(service, shop)
    const sold = () => ({
      orderItems: [{ id: shop.skuIds[Math.floor(Math.random() * shop.skuIds.length)]!, quantity: 1 }],
      paymentMethod: 'cash',
      isPaid: true,
    })
    const sale = (): Shot => ({
      method: 'POST',
      path: SALE,
      apiKey: shop.apiKey,
      body: () => JSON.stringify(sold()),
    })
    const withEndpoints = async <T>(count: number, work: () => Promise<T>): Promise<T> => {
      const ids: string[] = []
      for (let n = 0; n < count; n++) {
        ids.push((await call('POST', WEBHOOKS, { url: `${url}/${n}`, events: ['*'] })).data._id)
      }
      const done = await work()
      // Deleting an endpoint deletes its pending deliveries; those in progress end meanwhile.
      for (const id of ids) await call('DELETE', `${WEBHOOKS}/${id}`)
      await pause(2_000)
      return done
    }

    await measure(service.url, CONNECTIONS, 2, sale)
    const ratios: number[] = []
    for (let turn = 0; turn < TURNS; turn++) {
      const without = await measure(service.url, CONNECTIONS, SECONDS, sale)
      const before = seen.count
      const beside = await withEndpoints(ENDPOINTS, async () => {
        const result = await measure(service!.url, CONNECTIONS, SECONDS, sale)
        const during = seen.count
        await pause(REST_MS)
        const rates = {
          during: (during - before) / SECONDS,
          after: (seen.count - during) / (REST_MS / 1_000),
        }
        return { ...result, ...rates }
      })
      if (without.failures + beside.failures > 0) throw new Error('sales failed')
      ratios.push(beside.perSecond / without.perSecond)
      say(
        `sales a second, no endpoint ${without.perSecond.toFixed(0).padStart(5)} (p50 ${without.p50.toFixed(0)} ms)   ${ENDPOINTS} endpoints ${beside.perSecond.toFixed(0).padStart(5)} (p50 ${beside.p50.toFixed(0)} ms)   ${(ratios.at(-1)! * 100).toFixed(0)} %   deliveries ${beside.during.toFixed(0)}/s, afterwards ${beside.after.toFixed(0)}/s`,
      )
    }
    say(`median ${(median(ratios) * 100).toFixed(0)} %`)

    const waits = await withEndpoints(1, async () => {
      const answered = new Map<string, number>()
      for (let n = 0; n < SALES_WATCHED; n++) {
        answered.set((await call('POST', SALE, sold())).data.id, performance.now())
        await pause(40 + Math.random() * 40)
      }
      await pause(3_000)
      return [...answered].map(([order, at]) => seen.at.get(order)! - at)
    })
    const sorted = waits.toSorted((a, b) => a - b)
    say(
      `from a sale's answer to its first delivery: p50 ${median(waits).toFixed(0)} ms, p95 ${sorted[Math.floor(waits.length * 0.95)]!.toFixed(0)} ms`,
    )
  } finally {
    service?.process.kill('SIGKILL')
    receiver.close()
    receiver.closeAllConnections()
    if (server !== undefined) await onServer(server, `drop database if exists ${name} with (force)`)
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()
