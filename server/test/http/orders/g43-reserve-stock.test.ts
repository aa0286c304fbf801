import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeShop, service, unusedId } from '../../support/service.ts'
import {
  addStock,
  addWarehouse,
  countOrders,
  defaultWarehouse,
  expectNoOrder,
  makeProduct,
  reservedOf,
  shopWithSku,
} from './order-fixtures.ts'

const running = await service()
const { db } = running.deps
const path = '/api/external/order/pos/create'

describe('G-43 stock at creation', () => {
  it('reserves the lines of one SKU together, default warehouse first, then by id', async () => {
    const { partner, skuId, productId } = await shopWithSku(running, { stock: 3, oversell: 'deny' })
    const main = await defaultWarehouse(db, partner.shopId)
    const [first, second] = ['0'.repeat(24), 'f'.repeat(24)]
    for (const [id, n] of [
      [second, 9],
      [first, 4],
    ] as const) {
      await addWarehouse(db, partner.shopId, id)
      await addStock(db, partner.shopId, skuId, id, n)
    }
    const line = { id: skuId, quantity: 4 }
    const { body } = await partner.post(path, { orderItems: [line, line] })
    expect(await reservedOf(db, partner.shopId, skuId)).toEqual({ [main]: 3, [first]: 4, [second]: 1 })
    const { rows } = await sql<{ warehouse_id: string; quantity: number; reserved_quantity: number }>`
      select r.warehouse_id, r.quantity, p.reserved_quantity
      from order_reservations r, product_stock p
      where r.shop_id = ${partner.shopId} and r.order_id = ${body.data._id} and p.product_id = ${productId}
      order by r.quantity`.execute(db)
    expect(rows).toEqual([
      { warehouse_id: second, quantity: 1, reserved_quantity: 8 },
      { warehouse_id: main, quantity: 3, reserved_quantity: 8 },
      { warehouse_id: first, quantity: 4, reserved_quantity: 8 },
    ])
  })

  it('takes all from a warehouse that the order names, also one that never had the SKU, and no other has a say', async () => {
    const { partner, skuId } = await shopWithSku(running, { stock: 50 })
    const branch = unusedId()
    await addWarehouse(db, partner.shopId, branch)
    const main = await defaultWarehouse(db, partner.shopId)
    const order = { orderItems: [{ id: skuId, quantity: 4 }], warehouseId: branch }
    expect((await partner.post(path, order)).status).toBe(200)
    expect(await reservedOf(db, partner.shopId, skuId)).toEqual({ [main]: 0, [branch]: 4 })
    await sql`update shops set oversell = 'deny' where id = ${partner.shopId}`.execute(db)
    await sql`update stock set quantity = 9 where shop_id = ${partner.shopId} and warehouse_id = ${branch}`.execute(
      db,
    )
    await sql`update product_stock set total_quantity = 59 where shop_id = ${partner.shopId}`.execute(db)
    const short = await partner.post(path, { ...order, orderItems: [{ id: skuId, quantity: 6 }] })
    expect(short).toMatchObject({ status: 400, body: { code: 'OUT_OF_STOCK' } })
    expect((await partner.post(path, { ...order, orderItems: [{ id: skuId, quantity: 5 }] })).status).toBe(
      200,
    )
    expect(await reservedOf(db, partner.shopId, skuId)).toEqual({ [main]: 0, [branch]: 9 })
    expect((await partner.post(path, { orderItems: [{ id: skuId, quantity: 51 }] })).status).toBe(400)
  })

  it('400 for a warehouse that the shop does not have, in a preview too', async () => {
    const { partner, skuId } = await shopWithSku(running, { stock: 5 })
    for (const warehouseId of [unusedId(), 'kho-2']) {
      for (const url of [path, '/api/external/order/pos/preview']) {
        const { status, body } = await partner.post(url, {
          orderItems: [{ id: skuId, quantity: 1 }],
          warehouseId,
        })
        expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('warehouseId')])
      }
    }
    await expectNoOrder(db, partner, skuId)
  })

  it('writes the totals beside the product, whose own row stays as it was', async () => {
    const { partner, productId, skuId } = await shopWithSku(running, { stock: 3 })
    const place = sql<{ xmin: string; ctid: string }>`
      select xmin::text, ctid::text from products where shop_id = ${partner.shopId} and id = ${productId}`
    const before = (await place.execute(db)).rows
    expect((await partner.post(path, { orderItems: [{ id: skuId, quantity: 2 }] })).status).toBe(200)
    expect((await place.execute(db)).rows).toEqual(before)
    const [product] = (await partner.get('/api/external/v1/products')).body.data.products
    expect(product).toMatchObject({ totalQuantity: 3, reservedQuantity: 2, stock_quantity: 1, __v: 0 })
  })

  it('allow: an oversale goes to the default warehouse', async () => {
    const { partner, skuId } = await shopWithSku(running, { stock: 3 })
    const main = await defaultWarehouse(db, partner.shopId)
    const other = '0'.repeat(24)
    await addWarehouse(db, partner.shopId, other)
    await addStock(db, partner.shopId, skuId, other, 2)
    expect((await partner.post(path, { orderItems: [{ id: skuId, quantity: 9 }] })).status).toBe(200)
    expect((await partner.post(path, { orderItems: [{ id: skuId, quantity: 1 }] })).status).toBe(200)
    expect(await reservedOf(db, partner.shopId, skuId)).toEqual({ [main]: 8, [other]: 2 })
  })

  it('deny: 400 OUT_OF_STOCK names every short SKU, and nothing is written', async () => {
    const partner = await makeShop(running, { oversell: 'deny' })
    const skus = [
      { name: 'S', stock: 5 },
      { name: 'M', stock: 1 },
      { name: 'L', stock: 0 },
    ]
    const { skuIds } = await makeProduct(running, partner, { skus })
    const orderItems = [
      { id: skuIds[0], quantity: 3 },
      { id: skuIds[1], quantity: 1 },
      { id: skuIds[1], quantity: 1 },
      { id: skuIds[2], quantity: 7 },
    ]
    const answer = await partner.post(path, { orderItems })
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('OUT_OF_STOCK')
    expect(answer.body.message).toContain('Áo thun - M: 2 / 1')
    expect(answer.body.message).toContain('Áo thun - L: 7 / 0')
    expect(answer.body.message).not.toContain('Áo thun - S')
    for (const skuId of skuIds) await expectNoOrder(db, partner, skuId)
    expect((await partner.post(path, { orderItems: [{ id: skuIds[0], quantity: 5 }] })).body.data.code).toBe(
      'DH1',
    )
  })

  it('deny: of 60 orders at once for 20 pieces exactly 20 succeed', async () => {
    const { partner, productId, skuId } = await shopWithSku(running, { stock: 20, oversell: 'deny' })
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => partner.post(path, { orderItems: [{ id: skuId, quantity: 1 }] })),
    )
    const placed = answers.filter((answer) => answer.status === 200)
    expect(placed).toHaveLength(20)
    expect(answers.filter((answer) => answer.body.code === 'OUT_OF_STOCK')).toHaveLength(40)
    expect(new Set(placed.map((answer) => answer.body.data.code)).size).toBe(20)
    expect(Object.values(await reservedOf(db, partner.shopId, skuId))).toEqual([20])
    const { rows } = await sql<{ reserved_quantity: number; stock_quantity: number; promised: number }>`
      select reserved_quantity, stock_quantity,
        (select sum(quantity)::bigint from order_reservations r where r.shop_id = p.shop_id) as promised
      from product_stock p
      where shop_id = ${partner.shopId} and product_id = ${productId}`.execute(db)
    expect(rows).toEqual([{ reserved_quantity: 20, stock_quantity: 0, promised: 20 }])
    expect(await countOrders(partner)).toBe(20)
  })

  it('many orders at once over the same SKUs and products in opposite order: no deadlock, all counted', async () => {
    const partner = await makeShop(running)
    const first = await makeProduct(running, partner, { skus: [{ name: 'S' }, { name: 'M' }] })
    const second = await makeProduct(running, partner, { skus: [{ name: 'S' }, { name: 'M' }] })
    const ways = [
      [first.skuIds[0], second.skuIds[0]],
      [second.skuIds[0], first.skuIds[0]],
      [first.skuIds[1], second.skuIds[1]],
      [second.skuIds[1], first.skuIds[1]],
      [second.skuIds[1], first.skuIds[0]],
    ]
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, n) =>
        partner.post(path, { orderItems: ways[n % ways.length]!.map((id) => ({ id, quantity: 1 })) }),
      ),
    )
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200))
    const reserved = await Promise.all(
      [...first.skuIds, ...second.skuIds].map(
        async (id) => Object.values(await reservedOf(db, partner.shopId, id))[0],
      ),
    )
    expect(reserved).toEqual([48, 32, 32, 48])
    const { rows } = await sql<{ reserved_quantity: number }>`
      select reserved_quantity from product_stock where shop_id = ${partner.shopId}`.execute(db)
    expect(rows).toEqual([{ reserved_quantity: 80 }, { reserved_quantity: 80 }])
    expect(new Set(answers.map((answer) => answer.body.data.code)).size).toBe(80)
  })
})
