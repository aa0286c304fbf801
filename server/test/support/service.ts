import { randomBytes } from 'node:crypto'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { pino } from 'pino'
import { afterAll, expect, inject, onTestFinished } from 'vitest'
import { buildSimulator } from '../../../simulator/src/app.ts'
import type { Config } from '../../src/config.ts'
import type { Database, Db } from '../../src/db/client.ts'
import type { App } from '../../src/http/app-type.ts'
import type { PasswordHashing } from '../../src/lib/password-hashing.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { buildApp } from '../../src/process/app.ts'
import { buildDeps, openPools, type RunningDeps } from '../../src/process/build-deps.ts'
import { readConfig } from '../../src/process/config/read-config.ts'
import { TIMINGS, type Timings } from '../../src/timings.ts'
import { makeDatabase, type TestDatabase } from './database.ts'
import { quickHashing } from './quick-passwords.ts'
import { QUICK_TIMINGS } from './quick-timings.ts'
import { checkResponse } from './response-check.ts'
import { watchStatements } from './statement-check.ts'

// In a separate file for tests that use no database.
export { eventually } from './eventually.ts'
export const OPERATOR_TOKEN = 'operator-token-of-the-tests'
const SIMULATOR_SECRET = 'simulator-secret'

/** The service's own rounds would delete what a test is about to delete. */
const NO_RETENTION: Partial<Timings> = { retentionEveryMs: 86_400_000 }

export type Service = {
  app: App
  deps: RunningDeps
  database: Database
  simulator: FastifyInstance
  /** The address of the simulator, for its /control calls. */
  simulatorUrl: string
}

type State = { testDatabase: TestDatabase; service: Service }
/**
 * `hasOwnPools`: on PostgreSQL the service opens its own pools from its settings, as a separate process does.
 * `passwords` replaces {@link quickHashing}.
 */
type Given = { timings?: Partial<Timings>; hasOwnPools?: boolean; passwords?: PasswordHashing }
const workers = globalThis as typeof globalThis & { shopbellService?: Promise<State> }

/**
 * The service of this worker: real database, real simulator over HTTP, jobs running with {@link QUICK_TIMINGS}, an app
 * that is ready for `inject` and receives the simulator's events. It is started once per worker, and ends with the
 * worker's process.
 */
export async function service(): Promise<Service> {
  workers.shopbellService ??= start()
  return (await workers.shopbellService).service
}

/** Another service with its own settings and database. It ends with the test or, outside a test, with the file. */
export async function separateService(overrides: Partial<Config> = {}, given: Given = {}): Promise<Service> {
  const state = await start(overrides, given)
  atTheEnd(() => stop(state))
  return state.service
}

/** Within a test, `afterAll` would not be called. */
function atTheEnd(end: () => Promise<void>): void {
  try {
    onTestFinished(end)
  } catch {
    afterAll(end)
  }
}

async function start(overrides: Partial<Config> = {}, given: Given = {}): Promise<State> {
  const testDatabase = await makeDatabase()
  let serviceUrl = ''
  const simulator = buildSimulator({
    webhookUrl: () => serviceUrl,
    reviewMs: 30,
    deliveryMs: 20,
    seed: 1,
    secret: SIMULATOR_SECRET,
  })
  const simulatorUrl = await simulator.listen({ port: 0, host: '127.0.0.1' })
  const config: Config = {
    ...readConfig({
      DATA_DIR: inject('filesFolder'),
      DEMO: '0',
      RATE_LIMIT_PER_MINUTE: '1000000',
      SIMULATOR_SECRET,
    }),
    databaseUrl: testDatabase.url,
    operatorTokens: [OPERATOR_TOKEN],
    secretsKeys: [randomBytes(32).toString('hex')],
    timings: { ...TIMINGS, ...QUICK_TIMINGS, ...NO_RETENTION, ...given.timings },
    ...overrides,
  }
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const { hasOwnPools = false, passwords = quickHashing } = given
  const database =
    hasOwnPools && testDatabase.url !== undefined
      ? openPools(testDatabase.url, config.database, log)
      : testDatabase.database
  const watch = (db: Db) => watchStatements(db, testDatabase.database.pglite)
  const [db, slow] = [await watch(database.db), await watch(database.slow)]
  const deps = await buildDeps(config, {
    database: { ...database, db, slow },
    log,
    clock: systemClock,
    platformUrls: { businessUrl: simulatorUrl, openapiUrl: simulatorUrl, oauthUrl: simulatorUrl },
    passwords,
  })
  const app = await buildApp(deps)
  serviceUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  return { testDatabase, service: { app, deps, database, simulator, simulatorUrl } }
}

async function stop({ testDatabase, service: running }: State): Promise<void> {
  await running.app.close()
  await running.deps.stop()
  if (running.database !== testDatabase.database) await running.database.close()
  await running.simulator.close()
  await testDatabase.remove()
}

// biome-ignore lint/suspicious/noExplicitAny: tests read into answers of every shape
export type Answer = { status: number; body: any; headers: Record<string, string> }

/** A partner of one new shop, who calls the external API with the shop's key through `inject`. */
export type Partner = {
  shopId: string
  apiKey: string
  call(
    method: InjectOptions['method'],
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body?: unknown): Promise<Answer>
  put(path: string, body?: unknown): Promise<Answer>
}

/** Makes a shop through the management API and returns its partner. */
export async function makeShop(
  running: Service,
  settings: { name?: string; language?: 'vi' | 'en'; oversell?: 'allow' | 'deny' } = {},
): Promise<Partner> {
  const made = await manage(running, 'POST', '/shops', { name: 'Tiệm Hoa Mai', language: 'en', ...settings })
  return partnerOf(running, made.body.data.shop._id, made.body.data.apiKey)
}

export function partnerOf(running: Service, shopId: string, apiKey: string): Partner {
  const call: Partner['call'] = (method, path, body, headers = {}) =>
    send(running, method, path, body, { 'x-api-key': `service-partner ${apiKey}`, ...headers })
  return {
    shopId,
    apiKey,
    call,
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body, headers),
    patch: (path, body) => call('PATCH', path, body),
    put: (path, body) => call('PUT', path, body),
  }
}

/** A call of the management API with the operator's token; `path` follows `/api/manage/v1`. */
export function manage(
  running: Service,
  method: InjectOptions['method'],
  path: string,
  body?: unknown,
): Promise<Answer> {
  return send(running, method, `/api/manage/v1${path}`, body, { authorization: `Bearer ${OPERATOR_TOKEN}` })
}

/** Any request, unchanged. A body that is an object is sent as JSON. */
export async function send(
  running: Service,
  method: InjectOptions['method'],
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await running.app.inject({
    method,
    url,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = answer.body
  const isJson = String(answer.headers['content-type'] ?? '').includes('application/json')
  const parsed = isJson && text !== '' ? JSON.parse(text) : text
  if (isJson) checkResponse(running.app, String(method), url, answer.statusCode, parsed)
  return {
    status: answer.statusCode,
    body: parsed,
    headers: answer.headers as Record<string, string>,
  }
}

/** A new 24-hex id that no record has. */
export function unusedId(): string {
  return randomBytes(12).toString('hex')
}

/** The result of `work`, which must arrive within `ms`. */
export async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const answer = await work()
  expect(performance.now() - start).toBeLessThan(ms)
  return answer
}
