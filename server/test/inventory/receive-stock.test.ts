import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { receiveStock } from '../../src/modules/inventory/sql/movements.ts'
import { insertWarehouse, newProduct, PRODUCTS, twoByTwo } from '../support/products.ts'
import { makeShop, type Partner, service, unusedId } from '../support/service.ts'

const running = await service()
const { db } = running.database

function item(skuId: string, quantity: number) {
  return { id: running.deps.ids.next(), skuId, quantity }
}

function receive(shop: Partner, items: ReturnType<typeof item>[], warehouseId?: string) {
  const now = running.deps.clock.now()
  return receiveStock(db, shop.shopId, { items, now, note: 'nhập', ...(warehouseId && { warehouseId }) })
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
    expect(await receive(shop, [item(b, 4), item(a, 3), item(a, 2)])).toEqual([
      { skuId: a, quantity: 5 },
      { skuId: b, quantity: 4 },
    ])
    expect(await receive(shop, [item(a, 10)], second)).toEqual([{ skuId: a, quantity: 10 }])
    expect(await receive(shop, [item(a, 1)])).toEqual([{ skuId: a, quantity: 6 }])
    expect(await totals(shop)).toEqual([16, 4])
    expect(await differences(shop)).toBe(0)
    const { rows } = await sql<{ type: string; note: string }>`
      select type, note from stock_movements where shop_id = ${shop.shopId}`.execute(db)
    expect(rows).toEqual(Array(5).fill({ type: 'receive', note: 'nhập' }))
  })

  it('refuses a SKU or a warehouse of another shop, and then nothing changes', async () => {
    const shop = await makeShop(running)
    const other = await makeShop(running)
    const own = (await make(shop)).skus[0]!._id
    const foreign = (await make(other)).skus[0]!._id
    const foreignWarehouse = await insertWarehouse(running, other.shopId)
    await expect(receive(shop, [item(own, 1), item(foreign, 1)])).rejects.toThrow(/foreign key/)
    await expect(receive(shop, [item(own, 1), item(unusedId(), 1)])).rejects.toThrow(/foreign key/)
    await expect(receive(shop, [item(own, 1)], foreignWarehouse)).rejects.toThrow(/foreign key/)
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
          order.map((skuId) => item(skuId, 1)),
        )
      }),
    )
    expect(await totals(shop)).toEqual([16, 64, 16])
    expect(await differences(shop)).toBe(0)
  })
})
