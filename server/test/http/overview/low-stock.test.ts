import { CompiledQuery, PostgresQueryCompiler, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../../src/db/client.ts'
import { lowStock } from '../../../src/modules/overview/goods-sql.ts'
import { noneSelected } from '../../../src/modules/products/rules.ts'
import { listProducts } from '../../../src/modules/products/sql/list.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { enter, makeWarehouse, stockedSku } from '../../support/inventory.ts'
import { moveOrder, ORDERS, placeOrder } from '../../support/order-changes.ts'
import { PRODUCTS } from '../../support/products.ts'
import { makeShop, manage, type Partner, service } from '../../support/service.ts'

const running = await service()
const { db } = running.database

type Listed = { _id: string; name: string }

async function lowStockOf(shop: Partner) {
  return (await shop.get('/api/external/overview?days=1')).body.data.lowStock
}

async function listed(shop: Partner, query: string): Promise<{ total: number; names: string[] }> {
  const { body } = await shop.get(`${PRODUCTS}?${query}`)
  return { total: body.data.meta.total, names: body.data.products.map(({ name }: Listed) => name) }
}

/** The list behind the number, as the console opens it. */
const LIST = 'stocked=true&sortBy=stock_quantity&sortType=asc'

const namesOf = ({ first }: { first: Listed[] }) => first.map(({ name }) => name)

/** The pages of the database that the statements of `work` read. */
async function pagesRead(work: (db: Db) => Promise<unknown>): Promise<number> {
  const compiler = new PostgresQueryCompiler()
  const statements: CompiledQuery[] = []
  const noting = db.withPlugin({
    transformQuery({ node, queryId }) {
      statements.push(compiler.compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await work(noting)
  let pages = 0
  for (const { sql: text, parameters } of statements) {
    const explain = `explain (analyze, buffers, format json) ${text}`
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
      CompiledQuery.raw(explain, [...parameters]),
    )
    const { Plan } = rows[0]!['QUERY PLAN'][0]!
    pages += Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!
  }
  return pages
}

describe('G-126 products that are low on stock', () => {
  it('the fewest first, as many as the list has; retired ones are not', async () => {
    const shop = await makeShop(running)
    for (const [name, pieces] of [
      ['Hết', 1],
      ['Còn 3', 3],
      ['Còn 5', 5],
      ['Còn 5 nữa', 6],
      ['Còn 6', 6],
      ['Ngừng bán', 2],
    ] as const) {
      const sku = await stockedSku(shop, pieces, name)
      if (name === 'Hết' || name === 'Còn 5 nữa') await enter(shop, 'issue', [[sku, 1]])
    }
    const [retired] = (await shop.get(`${PRODUCTS}?search=${encodeURIComponent('ngừng')}`)).body.data.products
    await shop.call('DELETE', `${PRODUCTS}/${retired._id}`)
    const low = await lowStockOf(shop)
    expect(low).toMatchObject({ atMost: 5, products: 4, isCut: false })
    expect(low.first.map(({ available }: { available: number }) => available)).toEqual([0, 3, 5, 5])
    for (const total of ['exact', 'capped']) {
      const list = await listed(shop, `stockAtMost=5&${LIST}&total=${total}`)
      expect(list).toEqual({ total: 4, names: namesOf(low) })
    }
    expect((await listed(shop, `stockAtMost=3&search=${encodeURIComponent('còn')}`)).names).toEqual(['Còn 3'])
    expect((await listed(shop, 'stockAtMost=4&sortBy=name')).total).toBe(2)
    expect((await listed(shop, 'stockAtMost=5&minPrice=1&sortBy=stock_quantity')).total).toBe(4)
  })

  it('goods that were only sold, cancelled or returned are not, nor in its list; `stockAtMost` alone finds them', async () => {
    const shop = await makeShop(running)
    const sku = await stockedSku(shop, 0, 'Công cắt tóc')
    await stockedSku(shop, 0, 'Chưa bán')
    await enter(shop, 'receive', [[await stockedSku(shop, 0, 'Dầu gội'), 2]])
    const sold = await placeOrder(shop, sku, 3)
    const completed = (await moveOrder(shop, sold._id, 'completed')).body.data
    await moveOrder(shop, (await placeOrder(shop, sku, 1))._id, 'cancelled')
    await placeOrder(shop, sku, 2)
    const lines = [{ orderItemId: completed.orderItems[0]._id, quantity: 1 }]
    expect((await shop.post(`${ORDERS}/${sold._id}/returns`, { lines })).status).toBe(201)
    const low = await lowStockOf(shop)
    expect([low.products, namesOf(low)]).toEqual([1, ['Dầu gội']])
    expect(await listed(shop, `stockAtMost=5&${LIST}`)).toEqual({ total: 1, names: ['Dầu gội'] })
    const all = 'stockAtMost=5&sortBy=stock_quantity&sortType=asc'
    expect(await listed(shop, all)).toEqual({ total: 3, names: ['Công cắt tóc', 'Chưa bán', 'Dầu gội'] })
    for (const more of [
      '',
      '&search=công',
      '&minPrice=1',
      '&sortBy=name',
      '&sortBy=stock_quantity&total=capped',
    ]) {
      const never = await listed(shop, `stocked=false${encodeURI(more)}`)
      expect(never.names.sort()).toEqual(
        more.includes('search') ? ['Công cắt tóc'] : ['Chưa bán', 'Công cắt tóc'],
      )
    }
    const exported = (await shop.get(`${PRODUCTS}/export?stockAtMost=5&stocked=true`)).body
    expect([exported.includes('Dầu gội'), exported.includes('Công')]).toEqual([true, false])
    await checkInvariants(db, shop.shopId)
  })

  it('the shop sets the limit: its number and its list follow, another shop keeps its own', async () => {
    const shop = await makeShop(running)
    for (const [name, pieces] of Object.entries({ Một: 1, Hai: 2, Sáu: 6, Mười: 10 }))
      await stockedSku(shop, pieces, name)
    await stockedSku(shop, 0, 'Công cắt tóc')
    for (const [lowStockAt, names] of [
      [5, ['Một', 'Hai']],
      [6, ['Một', 'Hai', 'Sáu']],
      [1, ['Một']],
      [0, []],
      [1_000_000, ['Một', 'Hai', 'Sáu', 'Mười']],
    ] as const) {
      const set = await manage(running, 'PATCH', `/shops/${shop.shopId}`, { lowStockAt })
      expect(set.body.data.shop.lowStockAt).toBe(lowStockAt)
      const low = await lowStockOf(shop)
      expect([low.atMost, low.products, namesOf(low)]).toEqual([lowStockAt, names.length, names])
      const list = await listed(shop, `stockAtMost=${low.atMost}&${LIST}`)
      expect(list).toEqual({ total: names.length, names })
    }
    expect((await lowStockOf(await makeShop(running))).atMost).toBe(5)
  })

  it('any entry makes a product one that is stocked: received, issued, counted as 0, transferred', async () => {
    const shop = await makeShop(running)
    const toWarehouseId = await makeWarehouse(shop)
    const skus: Record<string, string> = {}
    for (const name of ['receive', 'issue', 'count', 'none']) skus[name] = await stockedSku(shop, 0, name)
    await enter(shop, 'receive', [[skus.receive!, 1]])
    await enter(shop, 'issue', [[skus.issue!, 1]])
    await enter(shop, 'count', [[skus.count!, 0]])
    const names = namesOf(await lowStockOf(shop)).sort()
    expect(names).toEqual(['count', 'issue', 'receive'])
    await enter(shop, 'transfer', [[skus.receive!, 1]], { toWarehouseId })
    await checkInvariants(db, shop.shopId)
    await placeOrder(shop, skus.count!, 2)
    await placeOrder(shop, skus.none!, 2)
    expect(namesOf(await lowStockOf(shop)).sort()).toEqual(names)
  })

  it('200 are a range of an index, which 19,800 products without stock do not lengthen', async () => {
    const shop = await makeShop(running)
    await stockedSku(shop, 2, 'Dầu gội')
    await sql`
      insert into products (shop_id, id, name, price, slug, search, sku_drafts, created_at, updated_at)
      select ${shop.shopId}, new_object_id(now()), 'Công', 1, 'cong-' || n, 'cong', '{"variants": [], "skus": []}', now(), now()
      from generate_series(1, 20000) n`.execute(db)
    // Plans of foreign keys that this connection made for a few products would read all 20,000 for each of the rows that follow.
    await sql`analyze products, product_stock`.execute(db)
    await sql`
      insert into product_stock (shop_id, product_id, reserved_quantity, is_stocked)
      select shop_id, id, 1, row_number() over () % 100 = 0
      from products
      where shop_id = ${shop.shopId} and name = 'Công'`.execute(db)
    await sql`analyze products, product_stock`.execute(db)
    const list = await pagesRead((noting) =>
      listProducts(noting, shop.shopId, {
        filter: { ...NO_FILTER, stockAtMost: 5, isStocked: true },
        order: { by: 'stock_quantity', direction: 'asc' },
        page: { limit: 1, offset: 0, after: undefined },
        mode: 'capped',
        shown: { select: noneSelected(), skuDrafts: false, warehouseId: undefined },
      }),
    )
    expect(list).toBeLessThan(500)
    const block = await pagesRead((noting) =>
      sql`with ${lowStock(shop.shopId)} select low_stock from low_stock`.execute(noting),
    )
    expect(block).toBeLessThan(500)
  }, 60_000)
})

const NO_FILTER = {
  search: undefined,
  categoryId: undefined,
  minPrice: undefined,
  maxPrice: undefined,
  barcode: undefined,
}
