import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, startNode, stopChild } from '../shared/child-process.ts'
import { memoryMb } from './shared/figures.ts'
import { onServer } from './shared/processes.ts'

/**
 * Measures how long a start takes, from the sources and from the bundle of `npm run build`, on the embedded database
 * and on the PostgreSQL of BENCH_DATABASE_URL: the medians of BENCH_STARTS (5) starts with a migrated database and a
 * filled compile cache. The processor time is that of the service's process from /proc, without the simulator.
 */
type Start = { wallMs: number; userMs: number; systemMs: number; residentMb: number }

const STARTS = Number(process.env.BENCH_STARTS || 5)
/** The unit in which Linux counts a process's time. */
const TICK_MS = 10
const root = fileURLToPath(new URL('../..', import.meta.url))
const programs = {
  sources: join(root, 'server/src/process/cli/main.ts'),
  bundle: join(root, 'dist/server/main.js'),
}

/** Measures one start, from the start of the process to its first response, and stops it. */
async function startOnce(program: string, env: Record<string, string>): Promise<Start> {
  const ports = { PORT: String(await freePort()), SIMULATOR_PORT: String(await freePort()) }
  const startedAt = performance.now()
  const { child } = await startNode({
    args: [program, 'serve'],
    env: {
      PATH: process.env.PATH,
      PLATFORM: 'simulator',
      DEMO: '0',
      CONSOLE: '0',
      DRAIN_SECONDS: '0',
      ...ports,
      ...env,
    },
    ready: /ready at/,
  })
  await (await fetch(`http://127.0.0.1:${ports.PORT}/health/ready`)).text()
  const wallMs = performance.now() - startedAt
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const { now: residentMb } = memoryMb(child.pid!)
  await stopChild(child)
  return {
    wallMs,
    userMs: Number(fields[11]) * TICK_MS,
    systemMs: Number(fields[12]) * TICK_MS,
    residentMb,
  }
}

function median(starts: Start[], of: keyof Start): number {
  return starts.map((start) => start[of]).sort((a, b) => a - b)[Math.floor(starts.length / 2)]!
}

async function measure(title: string, program: string, env: Record<string, string>): Promise<void> {
  await startOnce(program, env)
  const starts: Start[] = []
  while (starts.length < STARTS) starts.push(await startOnce(program, env))
  const seconds = (of: keyof Start) => `${(median(starts, of) / 1000).toFixed(2)} s`.padStart(8)
  process.stdout.write(
    `${title.padEnd(24)} user ${seconds('userMs')}  system ${seconds('systemMs')}  wall ${seconds('wallMs')}  ${median(starts, 'residentMb').toFixed(0).padStart(4)} MB\n`,
  )
}

process.stdout.write(
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}\n`,
)
const folder = mkdtempSync(join(tmpdir(), 'shopbell-start-'))
const server = process.env.BENCH_DATABASE_URL
const database = `shopbell_start_${process.pid}`
try {
  if (server !== undefined) await onServer(server, `create database ${database}`)
  for (const [name, program] of Object.entries(programs)) {
    if (!existsSync(program)) throw new Error(`${program} is missing: npm run build`)
    if (server !== undefined) {
      const url = new URL(server)
      url.pathname = `/${database}`
      const env = { DATABASE_URL: url.href, DATA_DIR: join(folder, 'postgres') }
      await measure(`PostgreSQL, ${name}`, program, env)
    }
    await measure(`embedded, ${name}`, program, { DATA_DIR: join(folder, 'embedded') })
  }
} finally {
  if (server !== undefined) await onServer(server, `drop database if exists ${database} with (force)`)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
