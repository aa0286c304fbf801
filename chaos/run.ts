import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import pg from 'pg'
import type { SendingShop } from '../bench/sending.ts'
import { type Database, openPostgres } from '../server/src/db/client.ts'
import { openEmbedded } from '../server/src/db/embedded.ts'
import { makeSendingShops } from './shops.ts'

export const OPERATOR_TOKEN = 'operator-token-of-the-chaos'

/** What the platform took: a row a delivery it was asked for. */
export type PlatformMessage = { tracking_id: string; deliveredCount: number; chargeVnd: number }

export type Run = {
  url: string
  databaseName: string
  prepareShops(count: number): Promise<SendingShop[]>
  setFaults(share: number): Promise<void>
  makeTrouble(everyMs: number, over: AbortSignal): Promise<{ kills: number; terminations: number }>
  waitUntilNothingIsUnderWay(): Promise<void>
  messagesOnPlatform(): Promise<PlatformMessage[]>
  stop(): Promise<void>
  openDatabase(): Promise<Database>
  remove(): Promise<void>
}

const script = (path: string) => fileURLToPath(new URL(path, import.meta.url))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

async function startProcess(
  path: string,
  args: string[],
  env: Record<string, string>,
  ready: RegExp,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script(path), ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text = `${text}${chunk}`.slice(-5_000)
      if (ready.test(text)) resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => reject(new Error(`${path} ended with ${code}:\n${text}`)))
  })
  return child
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** Starts the simulator and the service, each in a process of its own, on a database of their own. */
export async function startRun(given: {
  folder: string
  seed: number
  databaseUrl: string | undefined
}): Promise<Run> {
  const { folder, seed } = given
  const [port, simulatorPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const simulatorUrl = `http://127.0.0.1:${simulatorPort}`
  const name = `shopbell_chaos_${randomBytes(4).toString('hex')}`
  const databaseUrl =
    given.databaseUrl === undefined
      ? undefined
      : Object.assign(new URL(given.databaseUrl), { pathname: `/${name}` }).href
  if (given.databaseUrl !== undefined) await onServer(given.databaseUrl, `create database ${name}`)

  const simulator = await startProcess(
    '../simulator/src/main.ts',
    [],
    {
      SIMULATOR_PORT: String(simulatorPort),
      SIMULATOR_WEBHOOK_URL: url,
      SIMULATOR_REVIEW_MS: '0',
      SIMULATOR_SEED: String(seed),
    },
    /Simulator of/,
  )
  const startService = () =>
    startProcess(
      '../server/src/cli.ts',
      ['serve'],
      {
        PORT: String(port),
        DATA_DIR: join(folder, 'data'),
        DEMO: '0',
        LOG_LEVEL: 'error',
        OPERATOR_TOKEN,
        RATE_LIMIT_PER_MINUTE: '1000000000',
        PLATFORM_BUSINESS_URL: simulatorUrl,
        PLATFORM_OPENAPI_URL: simulatorUrl,
        PLATFORM_OAUTH_URL: simulatorUrl,
        PLATFORM_STRICT: '0',
        PLATFORM_IMAGES: 'link',
        ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      },
      /ready at/,
    )
  let service = await startService()

  async function control(path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(`${simulatorUrl}/control/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`control/${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }

  async function openDatabase(): Promise<Database> {
    return databaseUrl === undefined ? openEmbedded(join(folder, 'data', 'pg')) : openPostgres(databaseUrl)
  }

  return {
    url,
    databaseName: databaseUrl === undefined ? 'embedded database' : 'PostgreSQL',
    prepareShops: (count) => makeSendingShops(url, OPERATOR_TOKEN, count),
    async setFaults(share) {
      const each = share / 6
      const endpoint = '/message/template'
      const calls = share === 0 ? [] : ['hang', 'reset', '5xx', 'html', 'truncated', 'latency']
      const events = share === 0 ? [] : ['lost', 'twice', 'bad-signature', 'latency']
      await control('faults', [
        ...calls.map((kind) => ({
          kind,
          endpoint,
          share: each,
          ...(kind === 'latency' ? { latencyMs: 500 } : {}),
        })),
        ...events.map((kind) => ({
          kind,
          endpoint: 'events',
          share: each,
          ...(kind === 'latency' ? { latencyMs: 2_000, jitterMs: 2_000 } : {}),
        })),
      ])
    },
    async makeTrouble(everyMs, over) {
      let kills = 0
      let terminations = 0
      while (!over.aborted) {
        await pause(everyMs / 2 + Math.random() * everyMs, undefined, { signal: over }).catch(() => {})
        if (over.aborted) break
        if (databaseUrl !== undefined && Math.random() < 0.5) {
          terminations += await terminateConnections(given.databaseUrl!, name)
          continue
        }
        await end(service, 'SIGKILL')
        service = await startService()
        kills++
      }
      return { kills, terminations }
    },
    async waitUntilNothingIsUnderWay() {
      // A lease of a killed process runs out after a minute; recovery looks every 15 s.
      await pause(databaseUrl === undefined ? 90_000 : 1_000)
      if (databaseUrl === undefined) return
      const database = openPostgres(databaseUrl)
      for (let tries = 0; tries < 120; tries++) {
        const { rows } = await sql<{
          n: number
        }>`select count(*) as n from messages where state = 'SENDING'`.execute(database.db)
        if (rows[0]!.n === 0) break
        await pause(1_000)
      }
      await database.close()
      // Receipts that were lost or came late are repeated after 30 s.
      await pause(35_000)
    },
    async messagesOnPlatform() {
      const answer = (await control('messages?limit=1000000')) as { messages: PlatformMessage[] }
      return answer.messages
    },
    stop: () => end(service, 'SIGTERM'),
    openDatabase,
    async remove() {
      await end(service, 'SIGKILL')
      await end(simulator, 'SIGKILL')
      if (given.databaseUrl !== undefined) {
        await onServer(given.databaseUrl, `drop database if exists ${name} with (force)`)
      }
    },
  }
}

async function terminateConnections(server: string, name: string): Promise<number> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  const { rowCount } = await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid() and random() < 0.3',
    [name],
  )
  await client.end()
  return rowCount ?? 0
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}
