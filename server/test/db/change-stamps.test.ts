import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findStamps } from '../../src/db/fragments/change-stamps-sql.ts'
import type { App } from '../../src/http/app-type.ts'
import { categoryRoutes } from '../../src/modules/categories/routes.ts'
import { customerRoutes } from '../../src/modules/customers/routes.ts'
import { inventoryRoutes } from '../../src/modules/inventory/routes.ts'
import { newsRoutes } from '../../src/modules/news/routes.ts'
import { orderRoutes } from '../../src/modules/orders/routes.ts'
import { productRoutes } from '../../src/modules/products/routes.ts'
import { onPostgres } from '../support/database.ts'
import { tablesOf } from '../support/noted-statements.ts'
import { PRODUCTS } from '../support/products.ts'
import { makeReadShop, READS, type ReadShop } from '../support/read-shop.ts'
import { makeShop, service, unusedId } from '../support/service.ts'

let made: ReadShop
beforeAll(async () => {
  made = await makeReadShop()
})
afterAll(() => made.close())

type Operation = { responses: Record<string, object>; parameters?: { in: string; name: string }[] }

/** For each operation whose responses are kept, reads that cause all of its statements. */
function reads(): Record<string, string[]> {
  const { ids } = made
  const parts = 'select=skus,variants,category,wholesalePrices,subItemsGroups,skuImages'
  const one = `warehouseId=${ids.warehouse}`
  return {
    '/api/external/v1/products': [
      PRODUCTS,
      `${PRODUCTS}?${parts}&${one}&limit=5&page=1&total=capped`,
      `${PRODUCTS}?search=ao&sortBy=name&sortType=asc&category=${ids.category}`,
      `${PRODUCTS}?minPrice=1&maxPrice=900000&sortBy=stock_quantity`,
      `${PRODUCTS}?barcode=777`,
      `${PRODUCTS}?stockAtMost=5`,
      `${PRODUCTS}?stockAtMost=5&stocked=true&sortBy=stock_quantity`,
      `${PRODUCTS}?ids=${ids.product}`,
      `${PRODUCTS}?cursor=*&limit=5`,
    ],
    '/api/external/v1/products/{id}': [`${PRODUCTS}/${ids.product}?${parts}&${one}`],
    '/api/external/v1/orders': [
      READS.orders,
      `${READS.orders}?startDate=2020-01-01&endDate=2100-01-01&status=pending&platform=mini_pos&limit=5&page=1`,
      `${READS.orders}?search=nguyen&customerId=${ids.customer}&paymentMethod=cash&total=none`,
      `${READS.orders}?soldBy=${ids.customer}&productId=${ids.product}&cancelled=false`,
      `${READS.orders}?hasSeller=false&paymentStatus=owed`,
      `${READS.orders}?sortBy=price&sortType=asc`,
      `${READS.orders}?ids=${ids.order}`,
      `${READS.orders}?cursor=*&limit=5`,
    ],
    '/api/external/v1/orders/{id}': [`${READS.orders}/${ids.order}`],
    '/api/external/v1/orders/sums': [
      `${READS.orders}/sums`,
      `${READS.orders}/sums?startDate=2020-01-01&endDate=2100-01-01&status=pending&platform=mini_pos`,
      `${READS.orders}/sums?search=nguyen&customerId=${ids.customer}&paymentMethod=cash`,
      `${READS.orders}/sums?soldBy=${ids.customer}&productId=${ids.product}&cancelled=false`,
      `${READS.orders}/sums?hasSeller=false&paymentStatus=owed&ids=${ids.order}`,
    ],
    '/api/external/v1/customers': [
      READS.customers,
      `${READS.customers}?search=nguyen&limit=5&page=1&total=capped`,
      `${READS.customers}?ids=${ids.customer}`,
      `${READS.customers}?sortBy=fullName&sortType=asc`,
      `${READS.customers}?cursor=*&limit=5`,
    ],
    '/api/external/v1/customers/{id}': [`${READS.customers}/${ids.customer}`],
    '/api/external/v1/categories': [
      `${READS.categories}?page=1&limit=5`,
      `${READS.categories}?ids=${ids.category}`,
      `${READS.categories}?cursor=*&limit=5`,
    ],
    '/api/external/v1/categories/{id}': [`${READS.categories}/${ids.category}`],
    '/api/external/v1/warehouses': [
      `${READS.warehouses}?page=1&limit=5`,
      `${READS.warehouses}?ids=${ids.warehouse}`,
      `${READS.warehouses}?cursor=*&limit=5`,
    ],
    '/api/external/news': [
      READS.news,
      `${READS.news}?status=active&search=tin&page=1&limit=5`,
      `${READS.news}?ids=${ids.article}`,
      `${READS.news}?sortBy=title&sortType=asc`,
      `${READS.news}?cursor=*&limit=5`,
    ],
    '/api/external/news/{id}': [`${READS.news}/${ids.article}`],
  }
}

type Stated = { reads: readonly string[]; readsMoreWith: readonly string[] }

/** What each route states of its reads, by its address. */
function readsOfRoutes(): Map<string, Stated> {
  const found = new Map<string, Stated>()
  const app = Fastify() as unknown as App
  app.addHook('onRoute', ({ method, url, config }) => {
    if (method === 'GET' && config?.reads !== undefined)
      found.set(url, { reads: config.reads, readsMoreWith: config.readsMoreWith ?? [] })
  })
  for (const routes of [
    productRoutes,
    orderRoutes,
    customerRoutes,
    categoryRoutes,
    inventoryRoutes,
    newsRoutes,
  ]) {
    routes(app, made.apps[0].deps)
  }
  return found
}

function statedOf(routes: Map<string, Stated>, path: string): Stated {
  return routes.get(path.replaceAll(/\{(\w+)\}/g, ':$1'))!
}

/** The operations whose responses are kept, from the API document. */
function keptOperations(): [path: string, operation: Operation][] {
  const paths = made.apps[0].app.swagger().paths as Record<string, { get?: Operation }>
  return Object.entries(paths).flatMap(([path, { get }]) =>
    get?.responses['304'] === undefined || !path.startsWith('/api/external/')
      ? []
      : [[path, get] as [string, Operation]],
  )
}

describe('G-70 what a kept answer is made of', () => {
  it('of each operation that keeps answers this test tries every parameter', () => {
    const tried = reads()
    expect(
      keptOperations()
        .map(([path]) => path)
        .sort(),
    ).toEqual(Object.keys(tried).sort())
    const routes = readsOfRoutes()
    for (const [path, { parameters = [] }] of keptOperations()) {
      const untried = parameters
        .filter(
          ({ in: place, name }) => place === 'query' && !statedOf(routes, path).readsMoreWith.includes(name),
        )
        .filter(({ name }) => !tried[path]!.some((url) => url.includes(`${name}=`)))
      expect(untried, path).toEqual([])
    }
  })

  it('every table that a kept answer is read from is stamped, in an area that its route names', async () => {
    const { db } = made.apps[0].deps
    const { rows: stamped } = await sql<{ name: string; area: string; events: number }>`
      select c.relname as name, encode(t.tgargs, 'escape') as area, t.tgtype::integer as events
      from pg_trigger t
      join pg_class c on c.oid = t.tgrelid
      where t.tgfoid = 'stamp_change'::regproc and t.tgenabled = 'O'`.execute(db)
    const areaOf = new Map(stamped.map(({ name, area }) => [name, area.replace('\\000', '')]))
    const missing: string[] = []
    const routes = readsOfRoutes()
    for (const [path, urls] of Object.entries(reads())) {
      const areas = statedOf(routes, path).reads
      for (const url of urls) {
        made.statements()
        expect((await made.at[0].get(url)).status, url).toBe(200)
        const tables = made.statements().flatMap(tablesOf)
        expect(tables.length).toBeGreaterThan(0)
        for (const table of tables) {
          if (!areas.includes(areaOf.get(table) ?? 'none')) missing.push(`${path}: ${table}`)
        }
      }
    }
    expect([...new Set(missing)]).toEqual([])
    // After each row, on insert, delete and update. Counters are never deleted.
    const partly = stamped.filter(({ name, events }) => events !== (name === 'shop_counters' ? 21 : 29))
    expect(partly).toEqual([])
  })
})

describe('stamps', () => {
  const stampOf = async (shopId: string) => (await findStamps((await service()).deps.db, shopId)).news

  async function insertNews(db: Parameters<typeof findStamps>[0], shopId: string): Promise<void> {
    await sql`
      insert into news (shop_id, id, title, content, short_content, search, created_at, updated_at)
      values (${shopId}, ${unusedId()}, 'Tin', '', '', 'tin', now(), now())`.execute(db)
  }

  it('change with each commit, once a transaction, and not with a rollback', async () => {
    const { shopId } = await makeShop(await service())
    const { db } = (await service()).deps
    expect(await stampOf(shopId)).toBeUndefined()
    await insertNews(db, shopId)
    const first = await stampOf(shopId)
    const undone = db.transaction().execute(async (trx) => {
      await insertNews(trx, shopId)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await stampOf(shopId)).toBe(first)
    await db.transaction().execute(async (trx) => {
      await sql`savepoint before`.execute(trx)
      await insertNews(trx, shopId)
      await sql`rollback to savepoint before`.execute(trx)
      await insertNews(trx, shopId)
    })
    expect(Number(await stampOf(shopId))).toBeGreaterThan(Number(first))
  })

  it('of each shop that a transaction changes', async () => {
    const shops = [await makeShop(await service()), await makeShop(await service())]
    const { db } = (await service()).deps
    await db.transaction().execute(async (trx) => {
      for (const { shopId } of [...shops, ...shops]) await insertNews(trx, shopId)
    })
    for (const { shopId } of shops) expect(await stampOf(shopId)).toMatch(/^\d+$/)
  })

  it('a change takes one slot of many, whatever join the planner would choose', async () => {
    const { shopId } = await makeShop(await service())
    const { db } = (await service()).deps
    await sql`
      insert into change_stamps (shop_id, area, slot, stamp)
      select ${shopId}, 'news', n, 0 from generate_series(1, 20) as n`.execute(db)
    await db.transaction().execute(async (trx) => {
      for (const join of ['hashjoin', 'mergejoin', 'material']) {
        await sql`set local ${sql.raw(`enable_${join}`)} = off`.execute(trx)
      }
      await insertNews(trx, shopId)
    })
    const { rows } = await sql<{ changed: number }>`
      select count(*) filter (where stamp > 0) as changed
      from change_stamps
      where shop_id = ${shopId} and area = 'news'`.execute(db)
    expect(rows).toEqual([{ changed: 1 }])
  })

  it.skipIf(!onPostgres)('eight writers at once need about as many slots as they are', async () => {
    const { shopId } = await makeShop(await service())
    const { db } = (await service()).deps
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let n = 0; n < 40; n++) await insertNews(db, shopId)
      }),
    )
    const { rows } = await sql`
      select from change_stamps where shop_id = ${shopId} and area = 'news'`.execute(db)
    expect(rows.length).toBeLessThanOrEqual(16)
  })

  it.skipIf(!onPostgres)('no transaction waits for another’s, and what both change is seen', async () => {
    const { shopId } = await makeShop(await service())
    const { db } = (await service()).deps
    await insertNews(db, shopId)
    const seen = [await stampOf(shopId)]
    await db.transaction().execute(async (slow) => {
      await insertNews(slow, shopId)
      for (let n = 0; n < 3; n++) {
        await insertNews(db, shopId)
        seen.push(await stampOf(shopId))
      }
    })
    seen.push(await stampOf(shopId))
    expect(seen.map(Number)).toEqual([...seen.map(Number)].sort((a, b) => a - b))
    expect(new Set(seen).size).toBe(5)
    const { rows } = await sql`select from change_stamps where shop_id = ${shopId} and area = 'news'`.execute(
      db,
    )
    expect(rows).toHaveLength(2)
  })
})
