import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { ENTRIES, entry } from '../support/inventory.ts'
import { insertWarehouse, newProduct, PRODUCTS, twoByTwo } from '../support/products.ts'
import { type Answer, makeShop, type Partner, service, unusedId } from '../support/service.ts'

const running = await service()
const { db } = running.database

function receive(
  shop: Partner,
  items: [skuId: string, quantity: number][],
  more: object = {},
): Promise<Answer> {
  return shop.post(ENTRIES, entry('receive', items, { note: 'nhập', ...more }))
}

async function make(
  shop: Partner,
  overrides: object = {},
): Promise<{ _id: string; skus: { _id: string }[] }> {
  return (await shop.post(PRODUCTS, newProduct({ ...overrides }))).body.data
}

async function totals(shop: Partner): Promise<number[]> {
  const { products } = (await shop.get(`${PRODUCTS}?sortType=asc&limit=50`)).body.data
  return products.map((product: { totalQuantity: number }) => product.totalQuantity)
}

/** SKUs whose stock is not the sum of their movements, and products whose total is not that of their SKUs. */
async function differences(shop: Partner): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (
      select count(*)
      from stock t
      where t.shop_id = ${shop.shopId} and t.quantity <> (
        select coalesce(sum(m.quantity), 0)
        from stock_movements m
        where m.shop_id = t.shop_id and m.sku_id = t.sku_id and m.warehouse_id = t.warehouse_id
      )
    ) + (
      select count(*)
      from product_stock p
      where p.shop_id = ${shop.shopId} and p.total_quantity <> (
        select coalesce(sum(t.quantity), 0)
        from skus s
        join stock t on t.shop_id = s.shop_id and t.sku_id = s.id
        where s.shop_id = p.shop_id and s.product_id = p.product_id
      )
    ) as n`.execute(db)
  return rows[0]!.n
}

describe('G-36 receiving stock', () => {
  it('adds to the default warehouse or the one named, a movement each, and to the products’ totals', async () => {
    const shop = await makeShop(running)
    const second = await insertWarehouse(running, shop.shopId)
    const [first, four] = [await make(shop), await make(shop, twoByTwo())]
    const [a, b] = [first.skus[0]!._id, four.skus[1]!._id]
    const answers = [
      await receive(shop, [
        [b, 4],
        [a, 5],
      ]),
      await receive(shop, [[a, 10]], { warehouseId: second }),
      await receive(shop, [[a, 1]]),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await totals(shop)).toEqual([16, 4])
    expect(await differences(shop)).toBe(0)
    const { rows } = await sql<{ type: string; note: string }>`
      select type, note from stock_movements where shop_id = ${shop.shopId}`.execute(db)
    expect(rows).toEqual(Array(4).fill({ type: 'receive', note: 'nhập' }))
  })

  it('refuses a SKU or a warehouse of another shop, and then nothing changes', async () => {
    const shop = await makeShop(running)
    const other = await makeShop(running)
    const own = (await make(shop)).skus[0]!._id
    const foreign = (await make(other)).skus[0]!._id
    const foreignWarehouse = await insertWarehouse(running, other.shopId)
    for (const [items, more] of [
      [[own, foreign], {}],
      [[own, unusedId()], {}],
      [[own], { warehouseId: foreignWarehouse }],
    ] as const) {
      const answer = await receive(
        shop,
        items.map((skuId) => [skuId, 1]),
        more,
      )
      expect(answer.status).toBe(400)
    }
    expect([await totals(shop), await totals(other)]).toEqual([[0], [0]])
    expect(await differences(shop)).toBe(0)
  })

  it('loses nothing and never deadlocks when many arrive at once in different orders', async () => {
    const shop = await makeShop(running)
    const products = [await make(shop), await make(shop, twoByTwo()), await make(shop)]
    const skus = products.flatMap((product) => product.skus.map((sku) => sku._id))
    await Promise.all(
      Array.from({ length: 16 }, (_, n) => {
        const order = n % 2 === 0 ? skus : [...skus].reverse()
        return receive(
          shop,
          order.map((skuId) => [skuId, 1]),
        )
      }),
    )
    expect(await totals(shop)).toEqual([16, 64, 16])
    expect(await differences(shop)).toBe(0)
  })
})
