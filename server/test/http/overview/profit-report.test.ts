import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { ENTRIES, POS, stockedSku } from '../../support/inventory.ts'
import { moveOrder, payOrder } from '../../support/order-changes.ts'
import { makeShop, type Partner, service } from '../../support/service.ts'

const running = await service()
const { db } = running.database
const PROFIT = '/api/external/v1/reports/profit'

const report = async (shop: Partner, query = 'days=1') => (await shop.get(`${PROFIT}?${query}`)).body.data
async function receive(shop: Partner, skuId: string, quantity: number, unitCost: number): Promise<void> {
  const answer = await shop.post(ENTRIES, { type: 'receive', items: [{ skuId, quantity, unitCost }] })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
}
async function sell(shop: Partner, items: object[], more: object = {}) {
  const answer = await shop.post(POS, { orderItems: items, ...more })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.data
}
const NONE = { orders: 0, sales: 0, lines: 0, linesWithoutCost: 0, salesWithCost: 0, cost: 0, profit: 0 }

describe('G-38 the profit report', () => {
  it('200 with sales less the cost of the moment: later receipts change no earlier sale', async () => {
    const shop = await makeShop(running)
    const skuId = await stockedSku(shop)
    await receive(shop, skuId, 10, 30_000)
    await sell(shop, [{ id: skuId, quantity: 2, price: 50_000 }])
    await receive(shop, skuId, 10, 40_000)
    await sell(shop, [{ id: skuId, quantity: 1, price: 50_000 }], { shippingFee: 15_000 })
    const { total, days } = await report(shop)
    expect(total).toEqual({
      orders: 2,
      sales: 150_000,
      lines: 2,
      linesWithoutCost: 0,
      salesWithCost: 150_000,
      cost: 95_000,
      profit: 55_000,
    })
    expect(days).toEqual([{ day: new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10), ...total }])
  })

  it('lines without a cost are counted apart, and an order’s discount is shared by amount to the đồng', async () => {
    const shop = await makeShop(running)
    const known = await stockedSku(shop, 0, 'Áo')
    const unknown = await stockedSku(shop, 5, 'Nón')
    await receive(shop, known, 5, 10_000)
    await sell(
      shop,
      [
        { id: known, quantity: 2, price: 20_000, discount: 1_000 },
        { id: unknown, quantity: 1, price: 30_000 },
      ],
      { discount: 10_000 },
    )
    // 39.000 of 69.000 have a known cost: round half up(59.000 × 39 / 69) = 33.348.
    expect((await report(shop)).total).toEqual({
      orders: 1,
      sales: 59_000,
      lines: 2,
      linesWithoutCost: 1,
      salesWithCost: 33_348,
      cost: 20_000,
      profit: 13_348,
    })
    await sell(shop, [{ id: unknown, quantity: 1, price: 0 }])
    expect((await report(shop)).total).toMatchObject({ orders: 2, sales: 59_000, linesWithoutCost: 2 })
  })

  it('a cancelled order is counted nowhere; sales from before costs were kept have none', async () => {
    const shop = await makeShop(running)
    const skuId = await stockedSku(shop)
    await receive(shop, skuId, 5, 10_000)
    const order = await sell(shop, [{ id: skuId, quantity: 1, price: 20_000 }])
    await sql`update order_items set unit_cost = null where shop_id = ${shop.shopId}`.execute(db)
    expect((await report(shop)).total).toMatchObject({
      sales: 20_000,
      linesWithoutCost: 1,
      cost: 0,
      profit: 0,
    })
    await moveOrder(shop, order._id, 'cancelled')
    await payOrder(shop, order._id, 0)
    expect((await report(shop)).total).toEqual(NONE)
  })

  it('each day of the period has its row, in the shop’s zone, and days outside are not in it', async () => {
    const shop = await makeShop(running)
    const skuId = await stockedSku(shop)
    await receive(shop, skuId, 50, 1_000)
    for (const [n, at] of [
      '2026-03-01T16:59:59.999Z',
      '2026-03-01T17:00:00Z',
      '2026-03-04T16:59:59Z',
    ].entries()) {
      const { _id } = await sell(shop, [{ id: skuId, quantity: n + 1, price: 5_000 }])
      await sql`update orders set created_at = ${at} where shop_id = ${shop.shopId} and id = ${_id}`.execute(
        db,
      )
    }
    const { days, total } = await report(shop, 'from=2026-03-02&days=3')
    expect(days.map((one: { day: string; profit: number }) => [one.day, one.profit])).toEqual([
      ['2026-03-02', 8_000],
      ['2026-03-03', 0],
      ['2026-03-04', 12_000],
    ])
    expect(total.profit).toBe(20_000)
    expect((await report(shop, 'from=2026-03-01&days=1')).total.profit).toBe(4_000)
  })

  it('400 for more than 92 days and for an invalid day; another shop’s sales are counted nowhere', async () => {
    const shop = await makeShop(running)
    const other = await makeShop(running)
    const skuId = await stockedSku(other)
    await sell(other, [{ id: skuId, quantity: 1, price: 20_000 }])
    expect((await report(shop, 'days=92')).days).toHaveLength(92)
    expect((await report(shop)).total).toEqual(NONE)
    for (const query of ['days=93', 'days=0', 'from=2026-02-30', 'from=01/02/2026', 'from=1999-01-01']) {
      expect([query, (await shop.get(`${PROFIT}?${query}`)).status]).toEqual([query, 400])
    }
    expect((await shop.get(`${PROFIT}?from=2099-12-31&days=92`)).status).toBe(200)
  })

  it.skipIf(running.database.kind === 'embedded')(
    'a sale does not wait for a receipt that holds its costs',
    async () => {
      const shop = await makeShop(running)
      const skuId = await stockedSku(shop)
      await receive(shop, skuId, 5, 10_000)
      await db.transaction().execute(async (trx) => {
        await sql`update sku_costs set value = 9, pieces = 1 where shop_id = ${shop.shopId}`.execute(trx)
        await sell(shop, [{ id: skuId, quantity: 1, price: 20_000 }])
      })
      expect((await report(shop)).total).toMatchObject({ cost: 10_000, profit: 10_000 })
    },
  )

  it('the cost is in no answer of the contract', async () => {
    const shop = await makeShop(running)
    const skuId = await stockedSku(shop)
    await receive(shop, skuId, 5, 10_000)
    const order = await sell(shop, [{ id: skuId, quantity: 1, price: 20_000 }])
    expect(JSON.stringify(order)).not.toMatch(/cost/i)
    expect(JSON.stringify((await shop.get(`/api/external/v1/orders/${order._id}`)).body)).not.toMatch(/cost/i)
  })
})

describe('G-38 the goods without a cost', () => {
  const goods = async (shop: Partner, query = 'days=1') =>
    (await shop.get(`${PROFIT}/without-cost?${query}`)).body.data

  it('200 with the products of the lines without a cost, whose lines add up to those of the report', async () => {
    const shop = await makeShop(running)
    const [known, one, other] = [
      await stockedSku(shop, 0, 'Áo'),
      await stockedSku(shop, 9, 'Nón'),
      await stockedSku(shop, 9, 'Dù'),
    ]
    await receive(shop, known, 5, 10_000)
    await sell(shop, [
      { id: known, quantity: 1, price: 20_000 },
      { id: one, quantity: 2, price: 30_000, discount: 5_000 },
    ])
    await sell(
      shop,
      [
        { id: one, quantity: 1, price: 30_000 },
        { id: other, quantity: 4, price: 1_000 },
      ],
      { discount: 10_000 },
    )
    const cancelled = await sell(shop, [{ id: other, quantity: 1, price: 1_000 }])
    await moveOrder(shop, cancelled._id, 'cancelled')
    const found = await goods(shop)
    expect(found).toMatchObject({
      products: 2,
      goods: [
        { name: 'Nón', lines: 2, quantity: 3, sales: 85_000 },
        { name: 'Dù', lines: 1, quantity: 4, sales: 4_000 },
      ],
    })
    expect((await report(shop)).total.linesWithoutCost).toBe(3)
    expect((await shop.get(`/api/external/v1/products/${found.goods[0].id}`)).body.data.name).toBe('Nón')
    expect(await goods(await makeShop(running))).toEqual({ products: 0, goods: [] })
    expect(await goods(shop, 'from=2026-03-01&days=2')).toEqual({ products: 0, goods: [] })
    expect((await shop.get(`${PROFIT}/without-cost?days=93`)).status).toBe(400)
  })

  it('at most a hundred, with the number of all', async () => {
    const shop = await makeShop(running)
    const skus: string[] = []
    for (let n = 0; n < 101; n++) skus.push(await stockedSku(shop, 5, `Hoa ${n}`))
    await sell(
      shop,
      skus.map((id) => ({ id, quantity: 1, price: 1_000 })),
    )
    await sell(shop, [{ id: skus[100]!, quantity: 1, price: 1_000 }])
    const found = await goods(shop)
    expect([found.products, found.goods.length, found.goods[0].name]).toEqual([101, 100, 'Hoa 100'])
  })
})
