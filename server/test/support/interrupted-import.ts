import { sql } from 'kysely'
import { expect } from 'vitest'
import { type Database, openPostgres } from '../../src/db/client.ts'
import { makeDatabase } from './database.ts'
import { eventually } from './eventually.ts'
import { checkInvariants } from './invariants.ts'
import { freePorts, http, manageOver, startService } from './process.ts'

const FINAL = ['done', 'failed', 'cancelled']

export type InterruptedImport = {
  /** The process that is importing the file. */
  service: Awaited<ReturnType<typeof startService>>
  /** Opens its database. */
  open(): Database
  /** Expects that the next start completes the import, with each of its products and their stock once. */
  expectWholeAfterStart(limitMs: number): Promise<void>
}

/**
 * Starts a separate service on PostgreSQL that is in the middle of importing this many products, for a test to end it
 * there.
 */
export async function interruptImport(options: {
  dataDir: string
  mode: string
  products: number
  env?: Record<string, string>
  limitMs: number
}): Promise<InterruptedImport> {
  const { dataDir, mode, products } = options
  const { url, remove } = await makeDatabase()
  const env = {
    DATA_DIR: dataDir,
    ...options.env,
    DATABASE_URL: url!,
    ...(await freePorts()),
  }
  const service = await startService(env)
  const shop = await manageOver(service.url, 'POST', '/shops', { name: 'Gốm' })
  const key = { 'x-api-key': `service-partner ${shop.body.data.apiKey}` }
  const lines = Array.from({ length: products }, (_, n) => `Chén ${n},${n},C${n},2,500`)
  const accepted = await fetch(`${service.url}/api/external/v1/products/import?mode=${mode}`, {
    method: 'POST',
    headers: { ...key, 'content-type': 'text/csv' },
    body: ['name,price,itemSku,openingStock,unitCost', ...lines].join('\n'),
  })
  expect(accepted.status).toBe(202)
  const { data } = (await accepted.json()) as { data: { _id: string } }
  const path = `/api/external/v1/products/imports/${data._id}`
  const read = async (url: string) => (await http(url, 'GET', path, undefined, key)).body.data
  await eventually(async () => {
    const { status, done } = await read(service.url)
    return status === 'writing' && (mode === 'all-or-nothing' || done > 0)
  }, options.limitMs)

  const open = () => openPostgres(url!)
  return {
    service,
    open,
    async expectWholeAfterStart(limitMs) {
      const next = await startService(env)
      const end = await eventually(async () => {
        const now = await read(next.url)
        return FINAL.includes(now.status) && now
      }, limitMs)
      expect(end).toMatchObject({ status: 'done', total: products, created: products, updated: 0, failed: 0 })
      expect(await next.end('SIGTERM')).toEqual({ code: 0, signal: null })
      const after = open()
      const counted = await sql<{ n: number; codes: number; pieces: number; cost: number }>`
        select count(*) as n, count(distinct item_sku) as codes,
          (select sum(quantity)::bigint from stock_movements) as pieces, (select sum(value)::bigint from sku_costs) as cost
        from products`.execute(after.db)
      expect(end.stocked).toBe(products)
      expect(counted.rows).toEqual([
        { n: products, codes: products, pieces: 2 * products, cost: 1_000 * products },
      ])
      await checkInvariants(after.db)
      await after.close()
      await remove()
    },
  }
}
