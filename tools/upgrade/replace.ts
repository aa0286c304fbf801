import { deepEqual } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { openPostgres } from '../../server/src/db/client.ts'
import { ROOT } from '../build/bundle.ts'
import { freePort, startNode, stopChild } from '../shared/child-process.ts'
import { checkInvariants } from '../shared/invariants.ts'
import { findPostgres, startOwnPostgres } from '../shared/postgres.ts'
import { SIMULATOR_SIGNS } from '../shared/sending.ts'
import { makeSendingShops } from '../shared/sending-shops.ts'
import { waitUntil } from '../shared/wait.ts'
import { type Answered, keepCalling } from './load.ts'
import { OPERATOR_TOKEN, type Running, startVersion } from './process.ts'

/** How long requests continue between two steps. */
const BETWEEN_MS = 5_000

/**
 * Starts two processes of the version in `oldRoot` behind Caddy, on a PostgreSQL server only for this run. During
 * requests, each process is stopped and one of `newRoot` started in its place.
 * @returns a one-line summary.
 * @throws AssertionError if a request failed, or the database does not match the responses.
 */
export async function replaceUnderLoad(oldRoot: string, newRoot: string, folder: string): Promise<string> {
  const bin = findPostgres()
  if (bin === undefined) throw new Error('no PostgreSQL server binaries on this machine')
  const postgres = await startOwnPostgres(bin)
  const proxyPort = await freePort()
  const url = `http://127.0.0.1:${proxyPort}`
  const simulator = await startNode({
    args: [join(ROOT, 'simulator/src/main.ts')],
    env: {
      PATH: process.env.PATH,
      SIMULATOR_PORT: '0',
      SIMULATOR_REVIEW_MS: '0',
      SIMULATOR_WEBHOOK_URL: url,
      SIMULATOR_SECRET: SIMULATOR_SIGNS.secretKey,
    },
    ready: /platform: http\S+/,
  })
  const platform = /platform: (http\S+)/.exec(simulator.output)![1]!
  const ports = [await freePort(), await freePort()]
  const running: Running[] = []
  const secretsKey = randomBytes(32).toString('hex')
  const start = (root: string, place: number) =>
    startVersion(root, {
      PORT: String(ports[place]),
      DATA_DIR: join(folder, `data-${place}`),
      DATABASE_URL: postgres.url,
      DEMO: '0',
      SECRETS_KEY: secretsKey,
      RATE_LIMIT_PER_MINUTE: '1000000000',
      PLATFORM_RATE_PER_MINUTE: '0',
      PLATFORM_BUSINESS_URL: platform,
      PLATFORM_OPENAPI_URL: platform,
      PLATFORM_OAUTH_URL: platform,
      PLATFORM_STRICT: '0',
      PLATFORM_IMAGES: 'link',
    })
  const proxy = startCaddy(folder, proxyPort, ports)
  try {
    for (const place of ports.keys()) running[place] = await start(oldRoot, place)
    const isUp = () =>
      fetch(`${url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    if (!(await waitUntil(isUp, { everyMs: 100, withinMs: 20_000 }))) throw new Error('Caddy does not answer')
    const [shop] = await makeSendingShops(running[0]!.url, OPERATOR_TOKEN, 1)
    const skuId = await makeSku(running[0]!.url, shop!.apiKey)

    const over = new AbortController()
    const calls = keepCalling(url, shop!, skuId, over.signal)
    try {
      await pause(BETWEEN_MS)
      for (const place of ports.keys()) {
        await running[place]!.end()
        running[place] = await start(newRoot, place)
        await pause(BETWEEN_MS)
      }
    } finally {
      over.abort()
    }
    const answered = await calls
    for (const one of running) await one.end()
    running.length = 0
    await judge(postgres.url, answered)
    return `two processes replaced, one after the other: ${answered.sold} sales, ${answered.sent} messages and ${answered.read} reads, none failed`
  } finally {
    for (const one of running) await one.end().catch(() => {})
    await stopChild(proxy)
    await stopChild(simulator.child)
    await postgres.remove()
  }
}

async function judge(url: string, answered: Answered): Promise<void> {
  deepEqual(answered.failed.slice(0, 5), [], `${answered.failed.length} requests failed`)
  const { db, close } = openPostgres(url)
  try {
    const { rows } = await sql<{ orders: number; messages: number; received: number }>`
      select
        (select count(*) from orders) as orders,
        (select count(*) from messages) as messages,
        (select count(*) from messages where state = 'RECEIVED') as received`.execute(db)
    const { sold, sent } = answered
    deepEqual(rows[0], { orders: sold, messages: sent, received: sent })
    await checkInvariants(db)
  } finally {
    await close()
  }
}

async function makeSku(url: string, apiKey: string): Promise<string> {
  const answer = await fetch(`${url}/api/external/v1/products`, {
    method: 'POST',
    headers: { 'x-api-key': `service-partner ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Trà sen', price: 45_000 }),
  })
  const made = await answer.text()
  if (!answer.ok) throw new Error(`the product was not made: ${answer.status} ${made}`)
  const { data } = JSON.parse(made) as { data: { skus: { _id: string }[] } }
  return data.skus[0]!._id
}

/** Starts Caddy with the settings of deploy/docker, without a certificate. */
function startCaddy(folder: string, port: number, ports: number[]) {
  const sample = readFileSync(join(ROOT, 'deploy/docker/Caddyfile'), 'utf8')
    .replace('{$DOMAIN} {', `http://127.0.0.1:${port} {`)
    .replace('shopbell-1:3000 shopbell-2:3000', ports.map((one) => `127.0.0.1:${one}`).join(' '))
  const settings = join(folder, 'Caddyfile')
  writeFileSync(
    settings,
    `{\n admin off\n auto_https off\n storage file_system ${folder}/caddy\n}\n${sample}`,
  )
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', settings], { stdio: 'ignore' })
  // Without a listener, a missing program would end this process without a message about its purpose.
  child.on('error', (error) => console.error(`Caddy cannot be started: ${error.message}`))
  return child
}
