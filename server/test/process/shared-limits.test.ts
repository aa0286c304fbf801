import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { sharedLimiters } from '../../src/http/limits/limiters.ts'
import { makeDatabase, onPostgres } from '../support/database.ts'
import {
  type Environment,
  freePorts,
  http,
  manageOver,
  startService,
  temporaryFolder,
} from '../support/process.ts'
import { hasRedis, REDIS_URL } from '../support/redis.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

/** Settings of one process. Processes with the same `prefix` share their counts. */
async function settings(prefix: string, more: Environment = {}): Promise<Environment> {
  return {
    DATA_DIR: join(folder.path, randomBytes(4).toString('hex')),
    REDIS_URL,
    REDIS_PREFIX: prefix,
    RATE_LIMIT_PER_MINUTE: '30',
    LOG_LEVEL: 'warn',
    ...(await freePorts()),
    ...more,
  }
}

const freshPrefix = () => `shopbell-test-${randomBytes(6).toString('hex')}`

async function newKey(url: string): Promise<{ shopId: string; keyId: string; apiKey: string }> {
  const made = await manageOver(url, 'POST', '/shops', { name: 'Tiệm Hoa' })
  const shopId = made.body.data.shop._id
  const keys = await manageOver(url, 'GET', `/shops/${shopId}/keys`)
  return { shopId, keyId: keys.body.data[0]._id, apiKey: made.body.data.apiKey }
}

const ask = (url: string, apiKey: string) =>
  http(url, 'GET', '/api/external/wallet', undefined, { 'x-api-key': `service-partner ${apiKey}` })

async function statuses(urls: string[], count: number, apiKey: string): Promise<number[]> {
  const found: number[] = []
  for (let i = 0; i < count; i++) found.push((await ask(urls[i % urls.length]!, apiKey)).status)
  return found
}

const times = (status: number, all: number[]) => all.filter((one) => one === status).length

describe.skipIf(!onPostgres)('two processes on one database (only on PostgreSQL)', () => {
  it.skipIf(!hasRedis)(
    'G-07 share a shop’s budget, and G-06 an address’s failures, through Redis (skipped where none is reachable)',
    // On a machine so busy that Redis itself is late, each process correctly counts for itself.
    { timeout: 90_000, retry: 2 },
    async () => {
      const database = await makeDatabase()
      const prefix = freshPrefix()
      const env = { DATABASE_URL: database.url!, SECRETS_KEY: randomBytes(32).toString('hex') }
      const one = await startService(await settings(prefix, env))
      const two = await startService(await settings(prefix, env))
      const { apiKey } = await newKey(one.url)
      const found = await statuses([one.url, two.url], 36, apiKey)
      expect([times(200, found), times(429, found)]).toEqual([30, 6])
      const spent = await ask(two.url, apiKey)
      expect([spent.status, spent.headers.get('ratelimit')]).toEqual([429, expect.stringMatching(/r=0;/)])
      const failed = await statuses([one.url, two.url], 24, 'sb_live_none')
      expect([times(401, failed), times(429, failed)]).toEqual([20, 4])
      await Promise.all([one.end('SIGTERM'), two.end('SIGTERM')])
      await database.remove()
    },
  )

  it.skipIf(!hasRedis)(
    'G-07 share a key’s part of the budget through Redis, and feel a change of it within 5 s',
    { timeout: 90_000, retry: 2 },
    async () => {
      const database = await makeDatabase()
      const prefix = freshPrefix()
      const env = { DATABASE_URL: database.url!, SECRETS_KEY: randomBytes(32).toString('hex') }
      const one = await startService(await settings(prefix, env))
      const two = await startService(await settings(prefix, env))
      const { shopId, apiKey } = await newKey(one.url)
      const made = await manageOver(one.url, 'POST', `/shops/${shopId}/keys`, {
        name: 'ERP',
        maxPerMinute: 8,
      })
      const { key, apiKey: erp } = made.body.data
      const found = await statuses([one.url, two.url], 12, erp)
      expect([times(200, found), times(429, found)]).toEqual([8, 4])
      expect((await ask(two.url, apiKey)).headers.get('ratelimit')).toMatch(/^"shop";r=21;/)
      await manageOver(one.url, 'PATCH', `/shops/${shopId}/keys/${key._id}`, { maxPerMinute: 2 })
      await new Promise((resolve) => setTimeout(resolve, 5_000))
      const later = await statuses([two.url, one.url], 4, erp)
      expect([times(200, later), times(429, later)]).toEqual([2, 2])
      await Promise.all([one.end('SIGTERM'), two.end('SIGTERM')])
      await database.remove()
    },
  )

  it('G-60 a key revoked or rotated by one is refused by the other within 5 s', async () => {
    const database = await makeDatabase()
    const env = { DATABASE_URL: database.url!, SECRETS_KEY: randomBytes(32).toString('hex'), REDIS_URL: '' }
    const calm = { ...env, RATE_LIMIT_PER_MINUTE: '100000' }
    const one = await startService(await settings(freshPrefix(), calm))
    const two = await startService(await settings(freshPrefix(), calm))
    for (const end of ['revoke', 'rotate']) {
      const { shopId, keyId, apiKey } = await newKey(one.url)
      expect([(await ask(one.url, apiKey)).status, (await ask(two.url, apiKey)).status]).toEqual([200, 200])
      const path = `/shops/${shopId}/keys/${keyId}`
      const ended =
        end === 'revoke'
          ? await manageOver(one.url, 'DELETE', path)
          : await manageOver(one.url, 'POST', `${path}/rotate`, { overlapSeconds: 0 })
      expect(ended.status).toBeLessThan(300)
      expect((await ask(one.url, apiKey)).status).toBe(401)
      await new Promise((resolve) => setTimeout(resolve, 5_000))
      expect([end, (await ask(two.url, apiKey)).status]).toEqual([end, 401])
    }
    await Promise.all([one.end('SIGTERM'), two.end('SIGTERM')])
    await database.remove()
  }, 90_000)
})

describe.skipIf(!hasRedis)('a process that was paused (skipped where no Redis is reachable)', () => {
  it('reads the answer of Redis that has arrived meanwhile, and does not take it for away', async () => {
    const warnings: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
    const prefix = freshPrefix()
    const [one, two] = [sharedLimiters(REDIS_URL, prefix, log), sharedLimiters(REDIS_URL, prefix, log)]
    const [here, there] = [one.perMinute('shop', 1_000), two.perMinute('shop', 1_000)]
    for (const limiter of [here, there]) {
      await expect.poll(async () => (await limiter.consume('warm')).consumedPoints).toBeGreaterThan(1)
    }
    const answer = here.consume('shop')
    // The request is written to the socket, and then nothing is read for longer than Redis may take.
    await new Promise((resolve) => setImmediate(resolve))
    const until = performance.now() + 400
    while (performance.now() < until);
    expect((await answer).consumedPoints).toBe(1)
    expect((await there.consume('shop')).consumedPoints).toBe(2)
    expect((await here.consume('shop')).consumedPoints).toBe(3)
    expect(warnings).toEqual([])
    one.close()
    two.close()
  })
})

describe.skipIf(!hasRedis)('an attempt that is taken back (skipped where no Redis is reachable)', () => {
  it('is free again for the same process, also if it was the last one', async () => {
    const limiters = sharedLimiters(REDIS_URL, freshPrefix(), pino({ level: 'silent' }))
    const limiter = limiters.perMinute('passwords', 3)
    await expect.poll(async () => (await limiter.consume('warm')).consumedPoints).toBeGreaterThan(1)
    for (let n = 0; n < 3; n++) await limiter.consume('person')
    await limiter.giveBack('person')
    expect((await limiter.consume('person')).remainingPoints).toBe(0)
    await expect(limiter.consume('person')).rejects.toMatchObject({ remainingPoints: 0 })
    limiters.close()
  })
})

describe('Redis away', () => {
  /** If the run uses PostgreSQL, a database there: an embedded one would have to be created. */
  async function ownDatabase(): Promise<Environment> {
    if (!onPostgres) return {}
    const { url, remove } = await makeDatabase()
    onTestFinished(remove)
    return { DATABASE_URL: url! }
  }

  it('the service starts and answers, and each process holds the limit for itself', async () => {
    const ports = await freePorts()
    const service = await startService(
      await settings(freshPrefix(), {
        ...(await ownDatabase()),
        REDIS_URL: `redis://127.0.0.1:${ports.PORT}`,
      }),
    )
    const { apiKey } = await newKey(service.url)
    const found = await statuses([service.url], 33, apiKey)
    expect([times(200, found), times(429, found)]).toEqual([30, 3])
    expect(service.output()).toContain('Redis cannot be reached')
    await service.end('SIGTERM')
  }, 60_000)

  it.skipIf(!hasRedis)(
    'one that stops answering in the middle fails no request and delays but the first; sharing goes on by itself (skipped where no Redis is reachable)',
    async () => {
      const proxy = await blockableProxy(REDIS_URL)
      const service = await startService(
        await settings(freshPrefix(), {
          ...(await ownDatabase()),
          REDIS_URL: proxy.url,
          RATE_LIMIT_PER_MINUTE: '1000',
        }),
      )
      const { apiKey } = await newKey(service.url)
      expect((await ask(service.url, apiKey)).headers.get('ratelimit')).toMatch(/r=999;/)
      proxy.isBlocked = true
      expect((await ask(service.url, apiKey)).status).toBe(200)
      const start = performance.now()
      expect(times(200, await statuses([service.url], 20, apiKey))).toBe(20)
      // If each request waited 250 ms for Redis, it would take 5 s.
      expect(performance.now() - start).toBeLessThan(4_000)
      proxy.isBlocked = false
      await expect
        .poll(
          async () => Number(/r=(\d+)/.exec((await ask(service.url, apiKey)).headers.get('ratelimit')!)![1]),
          {
            timeout: 15_000,
            interval: 300,
          },
        )
        // Redis has counted one or two requests, the process's memory more than twenty.
        .toBeGreaterThan(990)
      await service.end('SIGTERM')
      proxy.close()
    },
    60_000,
  )
})

/** A connection to Redis that can be made to swallow everything, as a network that drops packets. */
async function blockableProxy(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const proxy = { url: '', isBlocked: false, close: () => {} }
  const server = createServer((client) => {
    const upstream = connect(Number(port || 6379), hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (data) => {
        if (!proxy.isBlocked) to.write(data)
      })
      from.on('close', () => to.destroy())
      from.on('error', () => {})
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy.url = `redis://127.0.0.1:${(server.address() as { port: number }).port}`
  proxy.close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return proxy
}
