import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { makeDatabase, onPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import {
  freePorts,
  http,
  manageOver,
  type Running,
  startService,
  temporaryFolder,
} from '../support/process.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

const PRODUCT = { name: 'Vải lụa', price: 120_000 }

/** A shop of `service`, with calls that read its products and change it. */
async function shopOf(service: Running) {
  const made = await manageOver(service.url, 'POST', '/shops', { name: 'Tiệm Vải' })
  const headers = { 'x-api-key': `service-partner ${made.body.data.apiKey}` }
  return {
    create: () =>
      http(
        service.url,
        'POST',
        '/api/external/v1/products',
        { ...PRODUCT, description: 'lụa '.repeat(1_000) },
        headers,
      ),
    list: () => http(service.url, 'GET', '/api/external/v1/products?limit=1', undefined, headers),
    ready: () => http(service.url, 'GET', '/health/ready'),
  }
}

/** Expects 503 with Retry-After for changes, responses to reads, and not ready within seconds. */
async function expectRefused(shop: Awaited<ReturnType<typeof shopOf>>): Promise<void> {
  const refused = await eventually(async () => {
    const answer = await shop.create()
    expect([200, 503]).toContain(answer.status)
    return answer.status === 503 && answer
  }, 20_000)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.body).toMatchObject({ statusCode: 503, error: 'Service Unavailable' })
  const ready = await eventually(async () => {
    const answer = await shop.ready()
    return answer.status === 503 && answer
  }, 5_000)
  expect(Number(ready.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await shop.list()).status).toBe(200)
  expect((await shop.ready()).status).toBe(503)
}

async function expectRecovered(shop: Awaited<ReturnType<typeof shopOf>>): Promise<void> {
  await eventually(async () => (await shop.ready()).status === 200, 15_000)
  await eventually(async () => (await shop.create()).status === 200, 15_000)
  for (let again = 0; again < 5; again++) expect((await shop.create()).status).toBe(200)
}

describe('a database that takes no writes', () => {
  it.runIf(onPostgres)(
    'read-only, as after a failover: 503 with Retry-After and not ready; it recovers by itself',
    async () => {
      const made = await makeDatabase()
      const name = new URL(made.url!).pathname.slice(1)
      const service = await startService({
        DATA_DIR: join(folder.path, 'postgres'),
        DATABASE_URL: made.url!,
        ...(await freePorts()),
      })
      const shop = await shopOf(service)
      expect((await shop.create()).status).toBe(200)

      const admin = new pg.Client({ connectionString: made.url! })
      await admin.connect()
      const endSessions = () =>
        admin.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
      await admin.query(`alter database ${name} set default_transaction_read_only = on`)
      await endSessions()
      await expectRefused(shop)
      // Sessions that began while it was read-only are not ended by this.
      await admin.query('set default_transaction_read_only = off')
      await admin.query(`alter database ${name} reset default_transaction_read_only`)
      await expectRecovered(shop)
      await admin.end()
      expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
      await made.remove()
    },
    90_000,
  )

  // A separate file system can be filled without harm; only root can mount one.
  it.runIf(!onPostgres && process.getuid?.() === 0)(
    'a full disk: 503 with Retry-After and not ready; it recovers by itself, and nothing acknowledged is lost',
    async () => {
      const disk = join(folder.path, 'disk')
      mkdirSync(disk)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', disk])
      try {
        const service = await startService({
          DATA_DIR: join(disk, 'data'),
          ...(await freePorts()),
        })
        const shop = await shopOf(service)
        expect((await shop.create()).status).toBe(200)
        const ballast = join(disk, 'ballast')
        for (let size = 64 * 1024 ** 2; size >= 4096; size /= 2) {
          for (let n = 0; ; n++) {
            try {
              writeFileSync(`${ballast}-${size}-${n}`, Buffer.alloc(size))
            } catch {
              break
            }
          }
        }
        const before = (await shop.list()).body.data.meta.total
        await expectRefused(shop)
        execFileSync('sh', ['-c', `rm -f ${ballast}-*`])
        await expectRecovered(shop)
        expect((await shop.list()).body.data.meta.total).toBeGreaterThanOrEqual(before + 6)
        expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
      } finally {
        execFileSync('umount', ['-l', disk])
        rmSync(disk, { recursive: true })
      }
    },
    90_000,
  )
})
