import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, stopChild } from '../../../tools/shared/child-process.ts'
import { openPostgres } from '../../src/db/client.ts'
import { connectQuery } from '../../src/db/pooler.ts'
import { makeDatabase, onPostgres, type TestDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { checkInvariants } from '../support/invariants.ts'
import {
  freePorts,
  http,
  manageOver,
  NO_PLATFORM,
  run,
  startService,
  temporaryFolder,
} from '../support/process.ts'
import { newProduct, PRODUCTS } from '../support/products.ts'
import { REDIS_URL } from '../support/redis.ts'

const LIMITS = { lockMs: 2_000, statementMs: 15_000, idleInTransactionMs: 10_000 }
/** Fewer than the processes would open. */
const SERVER_CONNECTIONS = 5
const has = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0
const programs = new Set<ChildProcess>()

describe.skipIf(!onPostgres || !has('pgbouncer') || !has('caddy'))('behind PgBouncer and Caddy', () => {
  const folder = temporaryFolder()
  let database: TestDatabase
  beforeAll(async () => {
    database = await makeDatabase()
    chmodSync(folder.path, 0o755)
  })
  afterAll(async () => {
    await Promise.all([...programs].map(stopChild))
    await database.remove()
    folder.remove()
  })

  const env = async (more: Record<string, string>) => ({
    ...NO_PLATFORM,
    DATA_DIR: join(folder.path, 'data'),
    DATABASE_URL: database.url!,
    ...(await freePorts()),
    ...more,
  })

  it('a pooler whose connections are not set stops the start with one line that says what to set', async () => {
    const pooler = await startPgBouncer(folder.path, database.url!, '')
    const { code, err } = await run(['serve'], await env({ DATABASE_POOL_URL: pooler }))
    expect([code, err.trim().split('\n')]).toEqual([
      1,
      [expect.stringContaining(`connect_query='${connectQuery(LIMITS)}'`)],
    ])
  })

  it('two processes on five connections in transaction mode sell, list and import, and everything adds up', async () => {
    const pooler = await startPgBouncer(folder.path, database.url!, connectQuery(LIMITS))
    const service = await startService(
      await env({
        DATABASE_POOL_URL: pooler,
        REDIS_URL,
        REDIS_PREFIX: `shopbell-test-${randomBytes(6).toString('hex')}`,
        TRUST_PROXY: '127.0.0.1',
        PORT: '0',
      }),
      { args: ['--processes', '2'] },
    )
    const url = await startCaddy(folder.path, service.url)
    const shops = await Promise.all(
      ['Gốm', 'Hoa'].map(async (name) => {
        const { data } = (await manageOver(url, 'POST', '/shops', { name })).body
        const headers = { 'x-api-key': `service-partner ${data.apiKey}` }
        const call = (method: string, path: string, body?: object) => http(url, method, path, body, headers)
        const made = await call('POST', PRODUCTS, newProduct({ name, price: 5_000 }))
        const sku = (await call('GET', `${PRODUCTS}/${made.body.data.id}`)).body.data.skus[0]._id
        return { call, sku, headers }
      }),
    )
    const sales = shops.flatMap(({ call, sku }) =>
      Array.from({ length: 8 }, async () => {
        for (let n = 0; n < 5; n++) {
          const orderItems = [{ id: sku, quantity: 1 }]
          const sold = await call('POST', '/api/external/order/pos/create', { orderItems })
          expect(sold.status).toBe(200)
          const listed = await call('GET', '/api/external/v1/orders?limit=5')
          expect(listed.body.data.orders.map(({ _id }: { _id: string }) => _id)).toHaveLength(
            Math.min(5, listed.body.data.meta.total),
          )
        }
      }),
    )
    const imported = await fetch(`${url}${PRODUCTS}/import`, {
      method: 'POST',
      headers: { ...shops[0]!.headers, 'content-type': 'text/csv' },
      body: 'name,price,itemSku\nChén,9000,C1',
    })
    const { data } = (await imported.json()) as { data: { _id: string } }
    await Promise.all(sales)
    for (const { call } of shops)
      expect((await call('GET', '/api/external/v1/orders?limit=5')).body.data.meta.total).toBe(40)
    await eventually(
      async () =>
        (await shops[0]!.call('GET', `${PRODUCTS}/imports/${data._id}`)).body.data.status === 'done',
      20_000,
    )
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
    const after = openPostgres(database.url!, { max: 1 })
    await checkInvariants(after.db)
    await after.close()
  }, 90_000)
})

/** @returns the address of the same database through PgBouncer. */
async function startPgBouncer(folder: string, databaseUrl: string, query: string): Promise<string> {
  const { hostname, port, username, pathname } = new URL(databaseUrl)
  const listenPort = await freePort()
  const settings = join(folder, `pgbouncer-${listenPort}.ini`)
  writeFileSync(
    settings,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port || 5432} user=${username}${query === '' ? '' : ` connect_query='${query}'`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
`,
  )
  // PgBouncer refuses to run as root.
  const isRoot = process.getuid?.() === 0
  const [command, ...args] = isRoot
    ? ['runuser', '-u', 'postgres', '--', 'pgbouncer', '-q', settings]
    : ['pgbouncer', '-q', settings]
  start(command!, args)
  await listening(listenPort)
  const through = new URL(databaseUrl)
  through.host = `127.0.0.1:${listenPort}`
  const client = new pg.Client({ connectionString: through.href })
  await client.connect()
  await client.end()
  return through.href
}

/** @returns the address of the service through Caddy. */
async function startCaddy(folder: string, serviceUrl: string): Promise<string> {
  const port = await freePort()
  const settings = join(folder, 'Caddyfile')
  writeFileSync(
    settings,
    `{
  admin off
  auto_https off
  storage file_system ${folder}/caddy
}
http://127.0.0.1:${port} {
  reverse_proxy ${new URL(serviceUrl).host}
}
`,
  )
  start('caddy', ['run', '--adapter', 'caddyfile', '--config', settings])
  await listening(port)
  return `http://127.0.0.1:${port}`
}

function start(command: string, args: string[]): void {
  const child = spawn(command, args, { stdio: 'ignore', cwd: '/' })
  programs.add(child)
  child.once('exit', () => programs.delete(child))
}

/** Waits until a server accepts connections at this port. */
async function listening(port: number): Promise<void> {
  await eventually(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = createConnection(port, '127.0.0.1')
        socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
        socket.once('connect', () => socket.destroy())
      }),
    10_000,
  )
}
