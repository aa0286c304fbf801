import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, it } from 'vitest'
import { makeDatabase, onPostgres } from '../support/database.ts'
import { freePorts, http, manageOver, startService, temporaryFolder } from '../support/process.ts'

const REDIS_SERVER = process.env.TEST_REDIS_SERVER ?? '/usr/bin/redis-server'
const LIMIT = 100

describe.runIf(onPostgres && existsSync(REDIS_SERVER))(
  'Redis lost in the middle of a minute (only on PostgreSQL, with a redis-server)',
  () => {
    const folder = temporaryFolder()
    afterAll(folder.remove)

    it('G-07 three processes let no more through than the limit, each its share at most', async () => {
      const database = await makeDatabase()
      const port = (await freePorts()).PORT
      const redis = spawn(REDIS_SERVER, ['--port', port, '--save', '', '--appendonly', 'no'], {
        stdio: 'ignore',
      })
      const probe = new Redis(Number(port), '127.0.0.1')
      probe.on('error', () => {})
      await expect.poll(() => probe.ping().catch(() => ''), { timeout: 15_000 }).toBe('PONG')
      const secretsKey = randomBytes(32).toString('hex')
      const services = await Promise.all(
        ['one', 'two', 'three'].map(async (name) =>
          startService({
            DATA_DIR: join(folder.path, name),
            DATABASE_URL: database.url!,
            SECRETS_KEY: secretsKey,
            REDIS_URL: `redis://127.0.0.1:${port}`,
            RATE_LIMIT_PER_MINUTE: String(LIMIT),
            ...(await freePorts()),
          }),
        ),
      )
      const made = await manageOver(services[0]!.url, 'POST', '/shops', { name: 'Gốm' })
      const key = { 'x-api-key': `service-partner ${made.body.data.apiKey}` }
      const ask = async (n: number) =>
        (await http(services[n]!.url, 'GET', '/api/external/wallet', undefined, key)).status
      // Longer than a heartbeat, so that each process knows of the other two.
      await pause(4_000)
      const passed = [0, 0, 0]
      const askEach = async (times: number) => {
        for (let turn = 0; turn < times; turn++) {
          const statuses = await Promise.all([0, 1, 2].map(ask))
          for (const [n, status] of statuses.entries()) {
            expect([200, 429]).toContain(status)
            if (status === 200) passed[n]! += 1
          }
        }
      }
      await askEach(20)
      expect(passed).toEqual([20, 20, 20])
      redis.kill('SIGKILL')
      await askEach(20)
      expect(passed.reduce((sum, n) => sum + n)).toBeLessThanOrEqual(LIMIT)
      expect(passed).toEqual(Array(3).fill(Math.floor(LIMIT / 3)))
      probe.disconnect()
      await Promise.all(services.map((service) => service.end('SIGTERM')))
      await database.remove()
    }, 120_000)
  },
)
