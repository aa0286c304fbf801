import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, inject } from 'vitest'
import { QUICK_TIMINGS } from './quick-timings.ts'

const SOURCES = fileURLToPath(new URL('../../src/process/cli/main.ts', import.meta.url))
export const OPERATOR_TOKEN = 'operator-token-of-the-tests'

export type Running = {
  url: string
  child: ChildProcess
  /** What it printed so far. */
  output(): string
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

// A failing test must not leave its service behind.
const services = new Set<ChildProcess>()
afterAll(() => {
  for (const child of services) child.kill('SIGKILL')
})

export type Environment = Record<string, string>

/**
 * A platform that is not there, for services whose test calls none: no simulator is started beside them, which is a quarter
 * of what a start takes of the processor.
 */
export const NO_PLATFORM: Environment = {
  PLATFORM_BUSINESS_URL: 'http://127.0.0.1:9',
  PLATFORM_OPENAPI_URL: 'http://127.0.0.1:9',
  PLATFORM_OAUTH_URL: 'http://127.0.0.1:9',
}

/** A folder of the caller's own under the system's temporary one. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'shopbell-process-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Two free ports on the loopback, for the service and its simulator. */
export async function freePorts(): Promise<{ PORT: string; SIMULATOR_PORT: string }> {
  const servers = [createServer(), createServer()]
  const ports: string[] = []
  for (const server of servers) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    ports.push(String((server.address() as { port: number }).port))
  }
  for (const server of servers) server.close()
  return { PORT: ports[0]!, SIMULATOR_PORT: ports[1]! }
}

/**
 * `shopbell <arguments>` as a process of its own, from the run's bundle if it made one: that loads in half the time. With
 * the console it starts from the sources, which build that when it is out of date.
 */
export function shopbell(args: string[], env: Environment): ChildProcess {
  const program = (env.CONSOLE === '1' ? undefined : inject('bundle')) ?? SOURCES
  const inherited = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }
  return spawn(process.execPath, [program, ...args], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs a command to its end. */
export async function run(
  args: string[],
  env: Environment,
): Promise<{ code: number | null; out: string; err: string }> {
  const child = shopbell(args, env)
  let out = ''
  let err = ''
  child.stdout?.on('data', (text) => {
    out += text
  })
  child.stderr?.on('data', (text) => {
    err += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}

/**
 * Starts the service and waits until it says that it is ready. A new data folder gets a copy of the run's migrated
 * embedded database, if there is one: making it takes seconds of processor time; `isFirst` makes it as a user would.
 * It waits by {@link QUICK_TIMINGS}.
 */
export async function startService(
  env: Environment,
  { isFirst = false, args = [] as string[] } = {},
): Promise<Running> {
  const made = inject('databaseRun')
  const hasCopy = !isFirst && 'folder' in made
  if (hasCopy && env.DATA_DIR !== undefined && env.DATABASE_URL === undefined) {
    const folder = join(env.DATA_DIR, 'pg')
    if (!existsSync(folder)) cpSync(join(made.folder, 'template'), folder, { recursive: true })
  }
  const child = shopbell(['serve', ...args], {
    DEMO: '0',
    CONSOLE: '0',
    DRAIN_SECONDS: '0',
    ...(env.PLATFORM_BUSINESS_URL === undefined ? { PLATFORM: 'simulator' } : {}),
    LOG_LEVEL: 'warn',
    OPERATOR_TOKEN,
    RATE_LIMIT_PER_MINUTE: '1000000',
    TIMINGS: JSON.stringify(QUICK_TIMINGS),
    ...env,
  })
  services.add(child)
  child.once('exit', () => services.delete(child))
  let text = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text += chunk
      const match = /ready at (\S+)/.exec(text)
      if (match?.[1] !== undefined) resolve(match[1])
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => reject(new Error(`the service ended with ${code} at its start:\n${text}`)))
  })
  return {
    url,
    child,
    output: () => text,
    async end(signal) {
      const ended = once(child, 'exit')
      child.kill(signal)
      const [code, by] = (await ended) as [number | null, NodeJS.Signals | null]
      return { code, signal: by }
    },
  }
}

export type HttpAnswer = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read into answers of every shape
  body: any
  headers: Headers
}

/** One JSON call over HTTP. */
export async function http(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  const answer = await fetch(url + path, {
    method,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers }
}

/** One call of the management API. */
export function manageOver(url: string, method: string, path: string, body?: unknown): Promise<HttpAnswer> {
  return http(url, method, `/api/manage/v1${path}`, body, { authorization: `Bearer ${OPERATOR_TOKEN}` })
}
