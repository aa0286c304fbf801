import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import type { Db } from '../../src/db/client.ts'
import { makeDatabase, onPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import {
  type Environment,
  freePorts,
  http,
  manageOver,
  run,
  startService,
  temporaryFolder,
} from '../support/process.ts'
import { QUICK_TIMINGS } from '../support/quick-timings.ts'
import { REDIS_URL } from '../support/redis.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

async function settings(more: Environment = {}): Promise<Environment> {
  return { DATA_DIR: join(folder.path, randomBytes(4).toString('hex')), ...(await freePorts()), ...more }
}

const PRODUCTS = '/api/external/v1/products'

/** The status of a request over a new connection, which goes to the next of the processes; 0 if it was cut. */
function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    request(url, { headers, agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode!))
    })
      .once('error', () => resolve(0))
      .end()
  })
}

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).map(Number)

const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8')

describe('--processes', () => {
  it.each([
    [{}, 'DATABASE_URL'],
    [{ DATABASE_URL: 'postgres://127.0.0.1/none' }, 'REDIS_URL'],
  ])('2 with %j stops the start with one line that names %s', async (env, missing) => {
    const { code, out, err } = await run(['serve', '--processes', '2'], await settings(env))
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(err).toContain(`needs ${missing}`)
  })

  it('which is not a number from 1 to 64 stops the start', async () => {
    const { code, err } = await run(['serve', '--processes', '0'], await settings())
    expect([code, err]).toEqual([1, expect.stringContaining('from 1 to 64')])
  })
})

describe('ROLE', () => {
  it('of the embedded database is all', async () => {
    const { code, err } = await run(['serve'], await settings({ ROLE: 'web' }))
    expect([code, err]).toEqual([1, expect.stringContaining('ROLE=web needs DATABASE_URL')])
  })
})

/** Metrics from the database are read once per scrape and not by each process. The renewal sometimes reads the same table. */
async function readsOfDatabase(url: string, db: Db): Promise<void> {
  const reads = async () => {
    const { rows } = await sql<{ n: number }>`
      select seq_scan + coalesce(idx_scan, 0) as n
      from pg_stat_user_tables
      where relname = 'official_accounts'`.execute(db)
    return Number(rows[0]!.n)
  }
  const before = await reads()
  for (let n = 0; n < 20; n++) expect((await fetch(`${url}/metrics`)).status).toBe(200)
  // PostgreSQL counts a connection's work some time after it was done.
  await eventually(async () => (await reads()) >= before + 20, 30_000)
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  expect(await reads()).toBeLessThan(before + 30)
}

describe.runIf(onPostgres)('several processes of one service', () => {
  it('share a port, a shop’s limit and their metrics; one that ends is replaced and logged, as an error or, stopped in order, as a warning; SIGTERM ends all', async () => {
    const database = await makeDatabase()
    const env = await settings({
      DATABASE_URL: database.url!,
      REDIS_URL,
      REDIS_PREFIX: `shopbell-test-${randomBytes(6).toString('hex')}`,
      RATE_LIMIT_PER_MINUTE: '30',
      // Any free port, the same for all processes.
      PORT: '0',
    })
    const service = await startService(env, { args: ['--processes', '2'] })
    const made = await manageOver(service.url, 'POST', '/shops', { name: 'Gốm' })
    const key = { 'x-api-key': `service-partner ${made.body.data.apiKey}` }
    const found: number[] = []
    for (let n = 0; n < 36; n++) found.push(await statusOf(`${service.url}${PRODUCTS}`, key))
    expect([200, 429].map((status) => found.filter((one) => one === status).length)).toEqual([30, 6])
    const counted = `shopbell_http_request_duration_seconds_count{method="GET",route="${PRODUCTS}",status="200",database="postgres"}`
    const text = await (await fetch(`${service.url}/metrics`)).text()
    expect(text).toContain(`${counted} 30\n`)
    expect(text.match(/^shopbell_wallet_held_vnd\{/gm)).toHaveLength(1)
    await readsOfDatabase(service.url, database.database.db)

    const answering = () =>
      childrenOf(service.child.pid!).filter((pid) => commandOf(pid).includes('--processes'))
    const before = answering()
    expect(before).toHaveLength(2)
    process.kill(before[0]!, 'SIGKILL')
    await eventually(async () => answering().length === 2 && !answering().includes(before[0]!), 20_000)
    for (let n = 0; n < 6; n++) expect(await statusOf(`${service.url}/health/live`, {})).toBe(200)

    process.kill(before[1]!, 'SIGTERM')
    await eventually(async () => answering().length === 2 && !answering().includes(before[1]!), 20_000)
    const ended = (pid: number) =>
      service
        .output()
        .split('\n')
        .find((line) => line.includes(`"endedPid":${pid}`))
    expect(ended(before[0]!)).toMatch(/^\{"level":50,.*"signal":"SIGKILL"/)
    expect(ended(before[1]!)).toMatch(/^\{"level":40,.*"code":0,/)
    expect(ended(before[1]!)!.match(/"pid":/g)).toHaveLength(1)

    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
    for (const pid of before.slice(1)) expect(() => process.kill(pid, 0)).toThrow()
    await database.remove()
  }, 90_000)

  it('SIGTERM ends the service in order while those that ended together are not replaced yet', async () => {
    const database = await makeDatabase()
    const env = await settings({
      DATABASE_URL: database.url!,
      REDIS_URL,
      REDIS_PREFIX: `shopbell-test-${randomBytes(6).toString('hex')}`,
      TIMINGS: JSON.stringify({ ...QUICK_TIMINGS, afterErrorMs: 2_000 }),
    })
    const service = await startService(env, { args: ['--processes', '2'] })
    const both = childrenOf(service.child.pid!).filter((pid) => commandOf(pid).includes('--processes'))
    for (const pid of both) process.kill(pid, 'SIGKILL')
    await eventually(async () => both.every((pid) => service.output().includes(`"endedPid":${pid}`)), 20_000)
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(existsSync(join(env.DATA_DIR!, 'service.json'))).toBe(false)
    await database.remove()
  }, 90_000)

  it('ROLE=web answers and leaves the background to ROLE=worker, which answers for its health only', async () => {
    const database = await makeDatabase()
    const shared = { DATABASE_URL: database.url!, SECRETS_KEY: randomBytes(32).toString('hex') }
    const web = await startService(await settings({ ...shared, ROLE: 'web' }))
    const made = await manageOver(web.url, 'POST', '/shops', { name: 'Gốm' })
    const key = { 'x-api-key': `service-partner ${made.body.data.apiKey}` }
    const accepted = await fetch(`${web.url}${PRODUCTS}/import`, {
      method: 'POST',
      headers: { ...key, 'content-type': 'text/csv' },
      body: 'name,price,itemSku\nChén,9000,C1',
    })
    const { data } = (await accepted.json()) as { data: { _id: string } }
    const status = async () =>
      (await http(web.url, 'GET', `${PRODUCTS}/imports/${data._id}`, undefined, key)).body.data.status
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(await status()).toBe('pending')

    const worker = await startService(await settings({ ...shared, ROLE: 'worker' }))
    await eventually(async () => (await status()) === 'done', 20_000)
    expect(await statusOf(`${worker.url}${PRODUCTS}`, key)).toBe(404)
    expect(await statusOf(`${worker.url}/health/ready`, {})).toBe(200)
    expect(await statusOf(`${worker.url}/metrics`, {})).toBe(200)
    await Promise.all([web.end('SIGTERM'), worker.end('SIGTERM')])
    await database.remove()
  }, 60_000)
})
