import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { keepStatistics } from '../../src/db/embedded/keep-statistics.ts'
import { onPostgres } from '../support/database.ts'
import { makeShop, separateService } from '../support/service.ts'

const GOING_ON = { aborted: false }
const PRODUCTS = 3_000

// PostgreSQL has autovacuum.
describe.skipIf(onPostgres)('the embedded database', async () => {
  const running = await separateService()
  const { db } = running.deps
  const { shopId } = await makeShop(running)
  const id = sql`lpad(to_hex(x'660000000000'::bigint + n), 24, '0')`

  /** The buffers that are read to find one product by its id. */
  async function cost(): Promise<number> {
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number } }] }>`
      explain (analyze, buffers, format json)
      select from products p where p.shop_id = ${shopId} and p.id = ${'660000000001'.padStart(24, '0')} and p.deleted_at is null`.execute(
      db,
    )
    return rows[0]!['QUERY PLAN'][0].Plan['Shared Hit Blocks']
  }
  async function deadRows(): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      select n_dead_tup::int as n from pg_stat_user_tables where relname = 'products'`.execute(db)
    return rows[0]!.n
  }

  it('finds a product by its id in few buffers after many were created', async () => {
    await sql`
      insert into products (shop_id, id, name, search, price, slug, sku_drafts, created_at, updated_at)
      select ${shopId}, ${id}, 'a', 'a', 1000, 'p' || n, '{"variants": [], "skus": []}', now(), now()
      from generate_series(1, ${sql.lit(PRODUCTS)}) n`.execute(db)
    await keepStatistics(db, GOING_ON)
    expect(await cost()).toBeLessThan(10)
  })

  it('uses the space of old versions of rows again', async () => {
    await sql`update products set price = price + 1 where shop_id = ${shopId}`.execute(db)
    // PostgreSQL reports what a statement left at most once a second.
    await expect.poll(deadRows, { timeout: 5_000 }).toBeGreaterThan(PRODUCTS / 2)
    await keepStatistics(db, GOING_ON)
    expect(await deadRows()).toBe(0)
  })

  it('does nothing while little changes', async () => {
    const collected = async () =>
      (await sql`select relname, analyze_count, vacuum_count from pg_stat_user_tables order by 1`.execute(db))
        .rows
    await keepStatistics(db, GOING_ON)
    const before = await collected()
    await sql`update products set price = price + 1 where shop_id = ${shopId} and id < ${'66000000000a'.padStart(24, '0')}`.execute(
      db,
    )
    await keepStatistics(db, GOING_ON)
    expect(await collected()).toEqual(before)
  })
})
