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

const PRODUCTS = 3_000
/** The embedded database answers nobody while a whole file is written. */
const ANSWER_MS = 500
const SILENT = { status: 'writing', done: 0 }
const FILE = [
  'name,price,itemSku',
  ...Array.from({ length: PRODUCTS }, (_, n) => `Chén ${n},${n},C${n}`),
].join('\n')

describe('G-37 an import whose process is killed', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  it.each(['each-row', 'all-or-nothing'])(
    '%s: whole or not at all while it is down, each product once after the next start',
    async (mode) => {
      const onServer = process.env.TEST_DATABASE_URL === undefined ? undefined : await makeDatabase()
      const dataDir = join(folder.path, mode)
      const env = {
        DATA_DIR: dataDir,
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
      const isSilent = mode === 'all-or-nothing' && onServer?.url === undefined
      await eventually(async () => {
        const { status, done } = await (isSilent ? Promise.race([read(), pause(ANSWER_MS, SILENT)]) : read())
        return status === 'writing' && (mode === 'all-or-nothing' || done > 0)
      }, 60_000)
      expect(await service.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })

      const open = async () =>
        onServer?.url === undefined ? openEmbedded(join(dataDir, 'pg')) : openPostgres(onServer.url)
      const between = await open()
      const { rows } = await sql<{ n: number; done: number }>`
        select (select count(*) from products) as n, done from product_imports`.execute(between.db)
      await checkInvariants(between.db)
      await between.close()
      const { n, done } = rows[0]!
      expect(n).toBeLessThan(PRODUCTS)
      expect(n).toBe(mode === 'each-row' ? done : 0)

      service = await startService(env)
      const end = await eventually(async () => {
        const now = await read()
        return ['done', 'failed', 'cancelled'].includes(now.status) && now
      }, 150_000)
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
    300_000,
  )
})
