import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { freePort } from '../shared/child-process.ts'

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))
const CLI = 'server/src/process/cli/main.ts'
export const OPERATOR_TOKEN = 'operator-token-of-the-fuzz'

// A run that ends early must not leave its processes behind.
const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

export type Service = {
  url: string
  simulatorUrl: string
  pid: number
  /** All its output so far. */
  output(): string
  hasEnded(): boolean
  /** Stops it gracefully. @returns its exit code; null if a signal ended it. */
  stop(): Promise<number | null>
}

/** Starts the service and its simulator as separate processes, with rate limits too high to affect the run. */
export async function startService(given: {
  dataDir: string
  databaseUrl: string | undefined
  smtpUrl: string
  /** The checkout whose service it is, else this one. */
  folder?: string
  /** A simulator that runs already. */
  simulatorUrl?: string
  publicUrl?: string
}): Promise<Service> {
  const [port, simulatorPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, [join(given.folder ?? CHECKOUT, CLI), 'serve'], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      SIMULATOR_PORT: String(simulatorPort),
      ...(given.simulatorUrl === undefined ? {} : { SIMULATOR_URL: given.simulatorUrl }),
      PLATFORM: 'simulator',
      SIMULATOR_REVIEW_MS: '50',
      DATA_DIR: given.dataDir,
      ...(given.databaseUrl === undefined ? {} : { DATABASE_URL: given.databaseUrl }),
      PUBLIC_URL: given.publicUrl ?? `http://127.0.0.1:${port}`,
      SMTP_URL: given.smtpUrl,
      MAIL_FROM: 'shop@shopbell.example',
      OPERATOR_TOKEN,
      DEMO: '0',
      CONSOLE: '0',
      DRAIN_SECONDS: '0',
      LOG_LEVEL: 'warn',
      // Each request has an address of its own, through its header.
      TRUST_PROXY: '127.0.0.1',
      RATE_LIMIT_PER_MINUTE: '1000000000',
      SESSION_RATE_LIMIT_PER_MINUTE: '1000000000',
      OUTBOUND_ALLOW_PRIVATE: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  let text = ''
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text += chunk
      if (/ready at/.test(text)) resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => reject(new Error(`the service ended with ${code} at its start:\n${text}`)))
  })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    url: `http://127.0.0.1:${port}`,
    simulatorUrl: given.simulatorUrl ?? `http://127.0.0.1:${simulatorPort}`,
    pid: child.pid!,
    output: () => text,
    hasEnded,
    async stop() {
      if (!hasEnded()) {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }
      return child.exitCode
    },
  }
}

/** Creates a database for the run on the server of `url`. */
export async function makeDatabase(url: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `fuzz_${randomBytes(6).toString('hex')}`
  await onServer(url, `create database ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return { url: own.href, drop: () => onServer(url, `drop database if exists ${name} with (force)`) }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}
