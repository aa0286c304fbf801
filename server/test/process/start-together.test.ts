import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeEmptyPostgres, onPostgres } from '../support/database.ts'
import { freePorts, http, startService, temporaryFolder } from '../support/process.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

describe.runIf(onPostgres)('processes started together on an empty database', () => {
  it('all four become ready', async () => {
    const { url, remove } = await makeEmptyPostgres()
    const common = { DATABASE_URL: url, SECRETS_KEY: randomBytes(32).toString('hex') }
    const services = await Promise.all(
      [1, 2, 3, 4].map(async (n) =>
        startService({ ...common, DATA_DIR: join(folder.path, `data-${n}`), ...(await freePorts()) }),
      ),
    )
    for (const service of services) expect((await http(service.url, 'GET', '/health/ready')).status).toBe(200)
    for (const service of services) expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
    await remove()
  }, 120_000)
})
