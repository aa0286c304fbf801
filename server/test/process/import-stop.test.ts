import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/client.ts'
import { openEmbedded } from '../../src/db/embedded.ts'
import { makeDatabase } from '../support/database.ts'
import { checkInvariants } from '../support/invariants.ts'
import { freePorts, http, manageOver, startService, temporaryFolder } from '../support/process.ts'
import { eventually } from '../support/service.ts'

/** Some forty groups of lines: far from done when the first is. */
const PRODUCTS = 12_000
/** While a file is written the embedded database answers late, or nobody: then the import is in its middle. */
const ANSWER_MS = 500
const SILENT = { status: 'writing', done: 1 }
const FILE = [
  'name,price,itemSku',
  ...Array.from({ length: PRODUCTS }, (_, n) => `Chén ${n},${n},C${n}`),
].join('\n')

describe('G-37 an import whose process is asked to stop', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  it.each(['each-row', 'all-or-nothing'])(
    '%s: ends with 0 between two groups of lines, and goes on after the next start: each product once',
    async (mode) => {
      const onServer = process.env.TEST_DATABASE_URL === undefined ? undefined : await makeDatabase()
      const dataDir = join(folder.path, `${mode}-${randomBytes(4).toString('hex')}`)
      const env = {
        DATA_DIR: dataDir,
        DRAIN_SECONDS: '0',
        ...(onServer?.url === undefined ? {} : { DATABASE_URL: onServer.url }),
        ...(await freePorts()),
      }
      let service = await startService(env)
      const shop = await manageOver(service.url, 'POST', '/shops', { name: 'Gốm' })
      const key = { 'x-api-key': `service-partner ${shop.body.data.apiKey}` }
      const accepted = await fetch(`${service.url}/api/external/v1/products/import?mode=${mode}`, {
        method: 'POST',
        headers: { ...key, 'content-type': 'text/csv' },
        body: FILE,
      })
      expect(accepted.status).toBe(202)
      const { data } = (await accepted.json()) as { data: { _id: string } }
      const path = `/api/external/v1/products/imports/${data._id}`
      const read = async () =>
        http(service.url, 'GET', path, undefined, key).then(
          ({ body }) => body.data,
          () => SILENT,
        )
      const isSilent = onServer?.url === undefined
      await eventually(async () => {
        const { status, done } = await (isSilent ? Promise.race([read(), pause(ANSWER_MS, SILENT)]) : read())
        return status === 'writing' && (mode === 'all-or-nothing' || done > 0)
      }, 90_000)

      const askedAt = performance.now()
      expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
      // Most of it is the machine's: the work itself is one group of lines.
      expect(performance.now() - askedAt).toBeLessThan(15_000)
      const open = async () =>
        onServer?.url === undefined ? openEmbedded(join(dataDir, 'pg')) : openPostgres(onServer.url)
      const between = await open()
      const { rows } = await sql<{ n: number; done: number; tries: number }>`
      select (select count(*) from products) as n, done,
        (select max(retry_count) from pgboss.job where name = 'import-products') as tries
      from product_imports`.execute(between.db)
      await between.close()
      // The embedded database answers nobody while it writes: there the last group may be over before the signal is heard.
      const isOver = isSilent && rows[0]!.n === PRODUCTS
      if (!isOver) expect(rows[0]!.n).toBeLessThan(PRODUCTS)
      if (!isOver) expect(rows[0]).toMatchObject({ n: mode === 'each-row' ? rows[0]!.done : 0, tries: 0 })

      service = await startService(env)
      const end = await eventually(async () => {
        const now = await read()
        return ['done', 'failed', 'cancelled'].includes(now.status) && now
      }, 200_000)
      expect(end).toMatchObject({ status: 'done', total: PRODUCTS, created: PRODUCTS, updated: 0, failed: 0 })
      expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
      const after = await open()
      const counted = await sql<{ n: number; codes: number }>`
      select count(*) as n, count(distinct item_sku) as codes from products`.execute(after.db)
      expect(counted.rows).toEqual([{ n: PRODUCTS, codes: PRODUCTS }])
      await checkInvariants(after.db)
      await after.close()
      await onServer?.remove()
    },
    400_000,
  )
})
