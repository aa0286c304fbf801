import { pino } from 'pino'
import { openDatabase } from '../../server/src/process/build-deps.ts'
import { readConfig } from '../../server/src/process/config/read-config.ts'
import { checkInvariants } from '../shared/invariants.ts'
import { buildChecks } from './checks.ts'
import { connect } from './client.ts'
import { type ApiDocument, isPathOf, type Operation, operationsOf } from './document.ts'
import { emptyReport, type Report } from './report.ts'
import { mutate, type Sent, write } from './requests/mistakes.ts'
import { seeded } from './requests/random.ts'
import { validDraft } from './requests/valid-drafts.ts'
import { startService } from './service.ts'
import type { Answered, Call, Caller, World } from './shapes.ts'
import { STALL_MS, watchMetrics } from './watch.ts'
import { openSinks } from './world/sinks.ts'
import { headersOf, makeWorld, remember } from './world/world.ts'

/** Operations that need a person's consent on the platform's page, or a job that has failed in the service. */
const NEVER_READY = new Set([
  'POST /api/manage/v1/shops/{id}/official-accounts/connect/finish',
  'POST /api/manage/v1/queues/{queue}/failed-jobs/{jobId}/retry',
  'DELETE /api/manage/v1/queues/{queue}/failed-jobs/{jobId}',
])

export type Settings = {
  seed: number
  requests: number
  /** The run's own folder; its subfolder `pg` has the embedded database. */
  dataDir: string
  databaseUrl: string | undefined
  say(line: string): void
}

const CONNECTIONS = 8
const MOST_RSS_MB = 1_000
const BODY_LIMIT = 2 ** 20
/** The fraction of random requests that have a mistake. */
const SPOILT = 0.85
/** How often an operation is tried before the random requests, until it gets a 2xx. */
const FIRST_TRIES = 5
const KEYS = 40

/**
 * Starts a service, sends requests to every operation, and checks each response and the process. First each operation
 * is called once with a valid request; then random requests with mistakes follow.
 */
export async function runFuzz({ seed, requests, dataDir, databaseUrl, say }: Settings): Promise<Report> {
  const sinks = await openSinks()
  const service = await startService({ dataDir, databaseUrl, smtpUrl: sinks.smtpUrl })
  const report = emptyReport({
    seed,
    url: service.url,
    database: databaseUrl === undefined ? 'embedded' : 'PostgreSQL',
  })
  const client = connect(service.url, CONNECTIONS)
  try {
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as ApiDocument
    const operations = operationsOf(document)
    const checks = buildChecks(document, dataDir)
    const watch = watchMetrics(service.url, service.pid)
    let world: World | undefined

    /** Sends a request and checks the response; undefined if there was none. */
    async function ask(sent: Sent, n: number): Promise<Answered | undefined> {
      // Metrics are not read through a proxy.
      if (sent.draft.operation.path !== '/metrics')
        sent.headers['x-forwarded-for'] = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`
      report.sent += 1
      try {
        const answer = await client.send(sent)
        watch.note(sent.draft.operation.name, answer.ms)
        if (sent.draft.operation.path === '/metrics' && sent.method === 'GET' && answer.status === 200)
          watch.take(answer.bytes.toString())
        const other = world?.shops.find(({ id }) => id !== sent.draft.shop.id)
        const problems = other === undefined ? [] : checks(sent, answer, other)
        report.take(sent, answer, problems, n)
        const { status, headers, bytes } = answer
        return { status, headers, body: readBody(bytes) }
      } catch (error) {
        // A body over the limit gets its response before it has been read completely; writing the rest then fails.
        if ((error as NodeJS.ErrnoException).code === 'EPIPE' && (sent.body?.length ?? 0) > BODY_LIMIT)
          return undefined
        report.fail(sent, [`no answer: ${error instanceof Error ? error.message : error}`], n)
        return undefined
      }
    }

    let calls = 0
    const call: Call = async (method, path, as, body) => {
      const sent = validCall(operations, method, path, as, body, world)
      const answer = await ask(sent, 2 ** 23 + calls++)
      if (answer === undefined || answer.status >= 300) {
        throw new CallRefused(`${method} ${path}: ${answer?.status} ${JSON.stringify(answer?.body)}`)
      }
      return answer
    }

    world = await makeWorld(call, sinks.webhookUrl, seed)
    const start = await watch.begin()
    say(`the start kept the event loop busy for ${Math.round(start?.busyMs ?? 0)} ms at most`)

    // Calls each operation with a valid request: a run in which an operation never succeeds proves nothing about it.
    for (const [n, operation] of operations.entries()) {
      for (let tries = 0; tries < FIRST_TRIES && report.successes(operation.name) === 0; tries++) {
        await tryOne(operation, -1 - n - tries * operations.length, false)
      }
    }

    let next = 0
    const beginning = performance.now()
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        while (next < requests && !service.hasEnded()) {
          const n = next++
          const random = seeded(seed, n)
          await tryOne(random.pick(operations), n, random.chance(SPOILT))
          if ((n + 1) % 1_000 === 0) say(`${n + 1} requests, ${Math.round(performance.now() - beginning)} ms`)
        }
      }),
    )

    async function tryOne(operation: Operation, n: number, isMutated: boolean): Promise<void> {
      const random = seeded(seed, n + 2 ** 20)
      const [shop, other] = random.chance(0.8)
        ? world!.shops
        : ([...world!.shops].reverse() as World['shops'])
      try {
        const draft = await validDraft(operation, { world: world!, shop, random })
        if (operation.takesIdempotencyKey && random.chance(0.15)) {
          draft.headers['idempotency-key'] = `khoa-${random.below(KEYS)}-${random.below(requests)}`
        }
        const sent = isMutated ? mutate(draft, random, other) : write(draft)
        const answer = await ask(sent, n & 0x7fffff)
        if (answer !== undefined) learn(sent, answer)
      } catch (error) {
        // Creating the records may fail, for example if the shop already has the maximum number of endpoints.
        if (!(error instanceof CallRefused)) throw error
        report.unprepared.set(error.message.slice(0, 200), operation.name)
      }
    }

    report.notAnswered = operations
      .map(({ name }) => name)
      .filter((name) => report.successes(name) === 0 && !NEVER_READY.has(name))
    report.measured = await watch.end()
    for (const stall of report.measured.stalls) {
      const { busyMs, during } = stall
      if (busyMs > STALL_MS)
        report.problems.push(
          `the event loop was busy for ${Math.round(busyMs)} ms during ${during.join(', ')}`,
        )
    }
    if (report.measured.rssMb > MOST_RSS_MB)
      report.problems.push(`the process had ${Math.round(report.measured.rssMb)} MB`)
    if (service.hasEnded()) report.problems.push('the service ended by itself')
  } finally {
    client.close()
    const code = await service.stop()
    if (code !== 0) report.problems.push(`the service ended with code ${code}`)
    sinks.close()
    report.problems.push(...errorLines(service.output()))
  }
  report.problems.push(...(await brokenInvariants(dataDir, databaseUrl)))
  return report
}

/** The service refused to create a record that a request needs. */
export class CallRefused extends Error {}

/** A call that is to succeed, of the operation of the document that it names. */
export function validCall(
  operations: Operation[],
  method: string,
  path: string,
  as: Caller,
  body: unknown,
  world: World | undefined,
): Sent {
  const shop =
    typeof as === 'object' && 'shop' in as ? as.shop : (world?.shops[0] ?? ({ id: '' } as World['shops'][0]))
  const [bare = ''] = path.split('?')
  const operation = operations
    .filter((one) => one.method === method && isPathOf(one.path, bare))
    .sort((a, b) => a.params.length - b.params.length)[0]
  if (operation === undefined) throw new Error(`the API document has no ${method} ${path}`)
  const isFile = Buffer.isBuffer(body)
  const type = isFile ? (path.includes('image') ? 'image/png' : 'text/csv') : 'application/json'
  return {
    draft: { operation, shop, as, method, params: {}, query: [], headers: {}, body: undefined },
    mistakes: [],
    namesForeign: false,
    method,
    path,
    headers: { ...headersOf(as), ...(body === undefined ? {} : { 'content-type': type }) },
    body: body === undefined ? undefined : isFile ? body : Buffer.from(JSON.stringify(body)),
  }
}

/** Remembers the records that requests have created, so that later ones can name them. */
export function learn({ draft, headers }: Sent, { status, body }: Answered): void {
  if (status < 200 || status > 202 || headers['x-api-key'] === undefined) return
  const made = /^POST .*\/(products|categories|customers|warehouses|news|create)$/.exec(
    draft.operation.name,
  )?.[1]
  const id = body?.data?._id ?? body?.template?._id
  if (typeof id !== 'string') return
  if (made === 'products') remember(draft.shop, 'product', id)
  else if (made === 'categories') remember(draft.shop, 'category', id)
  else if (made === 'customers') remember(draft.shop, 'customer', id)
  else if (made === 'warehouses') remember(draft.shop, 'warehouse', id)
  else if (made === 'news') remember(draft.shop, 'article', id)
  else if (draft.operation.path.includes('pos')) remember(draft.shop, 'order', id)
  else if (made === 'create') remember(draft.shop, 'template', id)
}

export function readBody(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

/** The errors with a stack trace in the log, each with its number of occurrences. */
function errorLines(output: string): string[] {
  const counts = new Map<string, number>()
  for (const line of output.split('\n')) {
    const entry = readBody(Buffer.from(line)) as
      | { level?: number; msg?: string; err?: { stack?: string } }
      | undefined
    const isLogged = (entry?.level ?? 0) >= 50 && entry?.err?.stack !== undefined
    if (!isLogged && (entry !== undefined || !/^\s+at |^\w*Error:/.test(line))) continue
    const says = entry === undefined ? line : `${entry.msg}: ${entry.err?.stack}`
    counts.set(says, (counts.get(says) ?? 0) + 1)
  }
  return [...counts]
    .slice(0, 20)
    .map(([says, times]) => `the log has ${times} times: ${says.slice(0, 1_500)}`)
}

async function brokenInvariants(dataDir: string, databaseUrl: string | undefined): Promise<string[]> {
  const env = { DATA_DIR: dataDir, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) }
  const database = await openDatabase(readConfig(env), pino({ level: 'silent' }))
  try {
    await checkInvariants(database.db)
    return []
  } catch (error) {
    return [`broken: ${error instanceof Error ? error.message : error}`]
  } finally {
    await database.close()
  }
}
