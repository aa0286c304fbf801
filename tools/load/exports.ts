import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '../../server/src/db/client.ts'
import { migrate } from '../../server/src/db/migrations/migrate.ts'
import { SIMULATOR_SIGNS } from '../shared/sending.ts'
import { memoryMb, processorMs } from './shared/figures.ts'
import { onServer, start, stop } from './shared/processes.ts'
import { seed } from './shared/seed.ts'

/** Measures a full copy of a large shop (G-67): one export of all products and of all orders. On PostgreSQL. */
const ROWS = Number(process.env.BENCH_ROWS ?? 100_000)

const server = process.env.BENCH_DATABASE_URL
if (server === undefined) throw new Error('set BENCH_DATABASE_URL')
const name = `shopbell_bench_${randomBytes(4).toString('hex')}`
const databaseUrl = Object.assign(new URL(server), { pathname: `/${name}` }).href
const folder = mkdtempSync(join(tmpdir(), 'shopbell-bench-'))
await onServer(server, `create database ${name}`)
try {
  const database = openPostgres(databaseUrl)
  await migrate(database)
  const size = { shops: 1, products: ROWS, orders: ROWS, smallProducts: 0, smallOrders: 0 }
  const [shop] = await seed(database.db, size)
  await database.close()
  const service = await start('server/src/process/cli/main.ts', ['serve'], {
    PORT: '0',
    PLATFORM: 'simulator',
    SIMULATOR_SECRET: SIMULATOR_SIGNS.secretKey,
    SIMULATOR_PORT: '0',
    DATA_DIR: folder,
    DEMO: '0',
    CONSOLE: '0',
    LOG_LEVEL: 'warn',
    DATABASE_URL: databaseUrl,
  })
  const headers = { 'x-api-key': `service-partner ${shop!.apiKey}`, 'content-type': 'application/json' }
  const pid = service.process.pid!
  process.stdout.write(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]!.toFixed(0)}, Node ${process.versions.node}, PostgreSQL\n`,
  )
  for (const type of ['product', 'order', 'stock']) {
    for (const coding of ['identity', 'gzip']) {
      const made = await fetch(`${service.url}/api/external/exports`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ type }),
      })
      const { data } = (await made.json()) as { data: { url: string } }
      const [startedAt, ranMs, before] = [performance.now(), processorMs(pid), memoryMb(pid).now]
      const response = await fetch(service.url + data.url, {
        headers: { ...headers, 'accept-encoding': coding },
      })
      let [bytes, peak, end] = [0, before, '']
      for await (const chunk of response.body!) {
        bytes += chunk.length
        end = (end + Buffer.from(chunk).toString()).slice(-100)
        peak = Math.max(peak, memoryMb(pid).now)
      }
      const seconds = (performance.now() - startedAt) / 1000
      process.stdout.write(
        `${type.padEnd(8)} ${coding.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s, ${((processorMs(pid) - ranMs) / 1000).toFixed(1)} s of the service's processor, ${(bytes / 1e6).toFixed(0)} MB read, ${before.toFixed(0)} → at most ${peak.toFixed(0)} MB resident, ${end.trimEnd().split('\n').at(-1)}\n`,
      )
    }
  }
  await stop(service)
} finally {
  await onServer(server, `drop database if exists ${name} with (force)`)
  rmSync(folder, { recursive: true, force: true })
}
