import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type SendingShop, SIMULATOR_SIGNS } from '../shared/sending.ts'
import { makeSendingShops } from '../shared/sending-shops.ts'
import { waitUntil } from '../shared/wait.ts'
import { measure } from './shared/load.ts'
import { type Child, onServer, start, stop } from './shared/processes.ts'

// npm run bench:messages -- [overhead] [batches] [receipts]: the cost of sending without the platform's. BENCH_SECONDS
// (5), BENCH_MESSAGES (20000, embedded 4000), BENCH_DATABASE_URL (else the embedded database).

const ROWS = ['overhead', 'batches', 'receipts'] as const
const wanted = process.argv.slice(2)
const isWanted = (row: (typeof ROWS)[number]) => wanted.length === 0 || wanted.includes(row)

const server = process.env.BENCH_DATABASE_URL
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? (server === undefined ? 4_000 : 20_000))
const SHOPS = 4
const CONNECTIONS = 16
/** Varies as over a network: with a constant time, the connections would run in lockstep. */
const PLATFORM_MS = { from: 50, to: 150 }
const OPERATOR_TOKEN = 'operator-token-of-the-bench'

const say = (line: string) => process.stdout.write(`${line}\n`)

type Bench = { service: Child; simulator: Child; shops: SendingShop[]; databaseUrl: string | undefined }

async function main(): Promise<void> {
  const unknown = wanted.filter((row) => !ROWS.some((known) => known === row))
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: rows are ${ROWS.join(', ')}`)
  const folder = mkdtempSync(join(tmpdir(), 'shopbell-bench-'))
  const name = `shopbell_bench_${randomBytes(4).toString('hex')}`
  const databaseUrl =
    server === undefined ? undefined : Object.assign(new URL(server), { pathname: `/${name}` }).href
  if (server !== undefined) await onServer(server, `create database ${name}`)
  const children: Child[] = []
  try {
    const simulator = await start('simulator/src/main.ts', [], {
      SIMULATOR_PORT: '0',
      SIMULATOR_REVIEW_MS: '0',
      SIMULATOR_SECRET: SIMULATOR_SIGNS.secretKey,
    })
    children.push(simulator)
    const service = await start('server/src/process/cli/main.ts', ['serve'], {
      PORT: '0',
      DATA_DIR: folder,
      DEMO: '0',
      LOG_LEVEL: 'warn',
      OPERATOR_TOKEN,
      RATE_LIMIT_PER_MINUTE: '1000000000',
      PLATFORM_RATE_PER_MINUTE: '0',
      PLATFORM_BUSINESS_URL: simulator.url,
      PLATFORM_OPENAPI_URL: simulator.url,
      PLATFORM_OAUTH_URL: simulator.url,
      PLATFORM_STRICT: '0',
      PLATFORM_IMAGES: 'link',
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    })
    children.push(service)
    await control(simulator, 'settings', { webhookUrl: service.url })
    const shops = await makeSendingShops(service.url, OPERATOR_TOKEN, SHOPS)
    say(
      `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}, ${server === undefined ? 'embedded database' : 'PostgreSQL'}\n`,
    )
    const bench = { service, simulator, shops, databaseUrl }
    if (isWanted('overhead')) await measureOverhead(bench)
    if (isWanted('batches')) await measureBatches(bench)
    if (isWanted('receipts')) await measureReceipts(bench)
    for (const child of children.toReversed()) await stop(child)
    children.length = 0
  } finally {
    for (const child of children) child.process.kill('SIGKILL')
    if (server !== undefined) await onServer(server, `drop database if exists ${name} with (force)`)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function control(simulator: Child, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${simulator.url}/control/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`control/${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/**
 * E5 with a platform that takes 50 to 150 ms: how much longer the caller waits than the service waits for the platform.
 */
async function measureOverhead({ service, simulator, shops }: Bench): Promise<void> {
  await control(simulator, 'faults', [
    {
      kind: 'latency',
      endpoint: '/message/template',
      share: 1,
      latencyMs: PLATFORM_MS.from,
      jitterMs: PLATFORM_MS.to - PLATFORM_MS.from,
    },
  ])
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  let sent = 0
  async function sendFor(seconds: number): Promise<{ overhead: number[]; platform: number[] }> {
    const overhead: number[] = []
    const platform: number[] = []
    const until = performance.now() + seconds * 1000
    const sender = async () => {
      while (performance.now() < until) {
        const shop = shops[sent++ % shops.length]!
        const startedAt = performance.now()
        const platformMs = await sendOne(agent, service.url, shop, sent)
        overhead.push(performance.now() - startedAt - platformMs)
        platform.push(platformMs)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, sender))
    return { overhead, platform }
  }
  await sendFor(2)
  const { overhead, platform } = await sendFor(SECONDS)
  agent.destroy()
  await control(simulator, 'faults', [])
  say(
    `E5 at ${CONNECTIONS} connections, the platform taking ${PLATFORM_MS.from} to ${PLATFORM_MS.to} ms: ${(overhead.length / SECONDS).toFixed(0)} a second`,
  )
  say(`  beyond the platform   p50 ${at(overhead, 0.5)} ms, p99 ${at(overhead, 0.99)} ms`)
  say(`  in the platform       p50 ${at(platform, 0.5)} ms, p99 ${at(platform, 0.99)} ms\n`)
}

/** Sends one message. @returns how long the service reports that it waited for the platform, in ms. */
function sendOne(agent: Agent, url: string, shop: SendingShop, n: number): Promise<number> {
  const body = JSON.stringify(messageTo(shop, n))
  return new Promise((resolve, reject) => {
    const call = request(`${url}/api/external/notify-message/send`, {
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-api-key': `service-partner ${shop.apiKey}`,
      },
    })
    call.on('response', (answer) => {
      const timing = /platform;dur=([\d.]+)/.exec(String(answer.headers['server-timing']))?.[1]
      answer.resume()
      answer.on('end', () => {
        if (answer.statusCode === 200 && timing !== undefined) resolve(Number(timing))
        else reject(new Error(`E5 answered ${answer.statusCode}`))
      })
    })
    call.on('error', reject)
    call.end(body)
  })
}

/** Valid for every n. The ending 55 has no special meaning in the simulator. */
const phoneOf = (n: number) => `843${String(1_000_000 + n).slice(-6)}55`
const PARAMS = { customer_name: 'An', order_code: 'DH1' }

function messageTo(shop: SendingShop, n: number) {
  return { templateId: shop.templateId, receiverPhone: phoneOf(n), params: PARAMS }
}

/**
 * Measures batches that are all due at the same time, without pacing, until the platform has accepted all messages and
 * all are settled.
 */
async function measureBatches(bench: Bench): Promise<void> {
  await drain(bench, MESSAGES / 10)
  await control(bench.simulator, 'settings', { suppressEvents: true })
  say(`batches, ${MESSAGES} messages of ${SHOPS} shops, no receipts: ${await drain(bench, MESSAGES)}`)
  await control(bench.simulator, 'settings', { suppressEvents: false })
  say(`batches, the same with every receipt coming back meanwhile: ${await drain(bench, MESSAGES)}\n`)
}

async function drain({ service, simulator, shops }: Bench, count: number): Promise<string> {
  const accepted = async () => ((await control(simulator, 'messages?limit=0')) as { total: number }).total
  const before = await accepted()
  const call = async (shop: SendingShop, query: string, body?: unknown) => {
    const answer = await fetch(`${service.url}/api/external/notify-message/batches${query}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': `service-partner ${shop.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`batches: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { data: unknown }
  }
  const perShop = Math.ceil(count / shops.length)
  const beginsAt = Date.now() + 5_000 + count
  const acceptingAt = performance.now()
  for (const shop of shops) {
    for (let from = 0; from < perShop; from += 1_000) {
      const messages = Array.from({ length: Math.min(1_000, perShop - from) }, (_, n) => ({
        receiverPhone: phoneOf(from + n),
        params: PARAMS,
      }))
      const scheduledAt = new Date(beginsAt).toISOString()
      await call(shop, '', { templateId: shop.templateId, messages, scheduledAt })
    }
  }
  const acceptSeconds = (performance.now() - acceptingAt) / 1000
  if (Date.now() > beginsAt) throw new Error('accepting took longer than until the start')
  await pause(beginsAt - Date.now())
  const startedAt = performance.now()
  const all = perShop * shops.length
  await waitUntil(async () => (await accepted()) - before >= all, { everyMs: 100 })
  const isSettled = async () => {
    const open = await Promise.all(
      shops.map(async (shop) => {
        const { data } = await call(shop, '?limit=100')
        const batches = data as { progress: { queued: number; sending: number } }[]
        return batches.reduce((sum, { progress }) => sum + progress.queued + progress.sending, 0)
      }),
    )
    return open.every((n) => n === 0)
  }
  await waitUntil(isSettled, { everyMs: 50 })
  const seconds = (performance.now() - startedAt) / 1000
  return `${(all / seconds).toFixed(0)} a second (accepted at ${(all / acceptSeconds).toFixed(0)} a second)`
}

/** Sends signed receipts of received messages over HTTP, and measures how many are accepted and how fast. */
async function measureReceipts(bench: Bench): Promise<void> {
  const { service, simulator, databaseUrl } = bench
  await control(simulator, 'settings', { suppressEvents: true })
  await drain(bench, MESSAGES)
  const { messages } = (await control(simulator, `messages?limit=${MESSAGES}`)) as {
    messages: { oaId: string; tracking_id: string; msg_id: string; phone: string }[]
  }
  let next = 0
  const receipt = () => {
    const { oaId, tracking_id, msg_id, phone } = messages[next++ % messages.length]!
    const timestamp = String(Date.now())
    const body = JSON.stringify({
      event_name: 'user_received_message',
      app_id: 'simulator',
      sender: { id: oaId },
      recipient: { id: phone },
      message: { delivery_time: timestamp, msg_id, tracking_id },
      timestamp,
    })
    const mac = createHash('sha256').update(`simulator${body}${timestamp}simulator-secret`).digest('hex')
    const headers = { 'x-zevent-signature': `mac=${mac}` }
    return { method: 'POST' as const, path: `/hooks/platform/${oaId}`, apiKey: '', headers, body: () => body }
  }
  const { perSecond, p50, p99, failures } = await measure(service.url, CONNECTIONS, SECONDS, receipt)
  say(
    `receipts at ${CONNECTIONS} connections: ${perSecond.toFixed(0)} answered a second, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms${failures > 0 ? `, ${failures} FAILED` : ''}`,
  )
  if (databaseUrl === undefined) return
  const startedAt = performance.now()
  const open = 'select count(*)::int as n from platform_events where processed_at is null'
  const isWorkedOff = async () => ((await onServer(databaseUrl, open)) as { n: number }[])[0]!.n === 0
  await waitUntil(isWorkedOff, { everyMs: 200 })
  say(`  and worked on ${((performance.now() - startedAt) / 1000).toFixed(1)} s after the last answer\n`)
}

function at(times: number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1)
}

await main()
