import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { QUICK_TIMINGS } from './quick-timings.ts'
import { type Environment, type Running, SOURCES, spawnProgram, whenReady } from './start-program.ts'

export type { Environment, Running }
export const OPERATOR_TOKEN = 'operator-token-of-the-tests'

const services = new Set<ChildProcess>()

/**
 * A failing test must not leave its service running. setup.ts calls this after each file: files share a worker and its
 * modules, so a hook made here would belong to the first file alone.
 */
export function killLeftServices(): void {
  for (const child of services) child.kill('SIGKILL')
}
process.once('exit', killLeftServices)

/**
 * The addresses of a platform that does not exist. Services use it unless their test asks for `PLATFORM: 'simulator'`
 * or gives other addresses, because starting a simulator takes a quarter of the processor time of a start.
 */
export const NO_PLATFORM: Environment = {
  PLATFORM_BUSINESS_URL: 'http://127.0.0.1:9',
  PLATFORM_OPENAPI_URL: 'http://127.0.0.1:9',
  PLATFORM_OAUTH_URL: 'http://127.0.0.1:9',
}

/** A folder for the caller alone in the system's temporary folder. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'shopbell-process-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Two free ports on the loopback interface, for the service and its simulator. */
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

/** The file of the command line: the run's bundle if there is one, because it loads in half the time. */
export function program(): string {
  return inject('bundle') ?? SOURCES
}

/** Runs `shopbell <arguments>` as a separate process. */
export function shopbell(args: string[], env: Environment): ChildProcess {
  return spawnProgram(program(), args, env)
}

/** Runs a command until it ends. */
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
 * Starts the service and waits until it reports that it is ready. A new data folder gets a copy of the run's migrated
 * embedded database, if there is one, because creating it takes seconds of processor time; with `isFirst` the service
 * creates it, as for a user. The service uses {@link QUICK_TIMINGS}.
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
    ...(env.PLATFORM === undefined && env.PLATFORM_BUSINESS_URL === undefined ? NO_PLATFORM : {}),
    LOG_LEVEL: 'warn',
    OPERATOR_TOKEN,
    RATE_LIMIT_PER_MINUTE: '1000000',
    TIMINGS: JSON.stringify(QUICK_TIMINGS),
    ...env,
  })
  services.add(child)
  child.once('exit', () => services.delete(child))
  return whenReady(child)
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
