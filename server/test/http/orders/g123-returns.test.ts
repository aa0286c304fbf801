import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { OWN_EDIT } from '../../../src/lib/edit.ts'
import { returnGoods } from '../../../src/modules/orders/returns/return-goods.ts'
import { failingTransactions } from '../../support/failing-transactions.ts'
import { loseAnswer, withKey } from '../../support/idempotency.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { enter, MOVEMENTS, makeWarehouse, stockedSku, stockOf, WAREHOUSES } from '../../support/inventory.ts'
import type { Body } from '../../support/lists.ts'
import { moveOrder, ORDERS, payOrder, placeOrder } from '../../support/order-changes.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'
import { eventsOf, listen } from '../../support/webhooks.ts'

const running = await service()
const { db } = running.database
const CUSTOMERS = '/api/external/v1/customers'

/** A completed order of `quantity` pieces at 100,000 đồng, paid unless `more` says otherwise; 10 pieces were in stock. */
async function sale(quantity = 3, more: Record<string, unknown> = { isPaid: true, paymentMethod: 'cash' }) {
  const shop = await makeShop(running)
  const skuId = await stockedSku(shop, 10)
  const placed = await placeOrder(shop, skuId, quantity, more)
  const order = (await moveOrder(shop, placed._id, 'completed')).body.data
  return { shop, skuId, order, id: order._id as string, itemId: order.orderItems[0]._id as string }
}
const bring = (
  shop: Partner,
  orderId: string,
  orderItemId: string,
  quantity: number,
  more: Body = {},
  headers = {},
) => shop.post(`${ORDERS}/${orderId}/returns`, { lines: [{ orderItemId, quantity }], ...more }, headers)
const read = async (shop: Partner, id: string) => (await shop.get(`${ORDERS}/${id}`)).body.data
const returnsOf = async (shop: Partner, id: string) => (await shop.get(`${ORDERS}/${id}/returns`)).body.data

describe('G-123 goods that come back', () => {
  it('201: the order costs less, the pieces are in stock again, the money is refunded, and the timeline and the events say so', async () => {
    const { shop, id, itemId, order } = await sale()
    await listen(running, shop.shopId, ['order.returned', 'stock.changed', 'order.paid'])
    const answer = await bring(shop, id, itemId, 2, { refundAmount: 200_000, note: 'Chật' })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    const [place] = Object.entries(await stockOf(db, shop.shopId))
    expect(place![1]).toBe('9/0')
    expect(answer.body.data).toEqual({
      _id: expect.any(String),
      id: answer.body.data._id,
      orderId: id,
      amount: 200_000,
      fee: 0,
      refundAmount: 200_000,
      paymentMethod: 'cash',
      warehouseId: place![0].split(' ')[1],
      note: 'Chật',
      by: expect.objectContaining({ type: 'key' }),
      createdAt: expect.any(String),
      lines: [{ orderItemId: itemId, quantity: 2, amount: 200_000 }],
    })
    const now = await read(shop, id)
    expect(now).toMatchObject({ price: 300_000, returnedAmount: 200_000, paidAmount: 100_000, isPaid: true })
    expect(now.__v).toBe(order.__v + 1)
    expect(now.gatewayPayments.map(({ amount }: Body) => amount)).toEqual([300_000, -200_000])
    expect(await returnsOf(shop, id)).toEqual({
      returnedAmount: 200_000,
      lines: [
        { orderItemId: itemId, name: expect.any(String), quantity: 3, quantityLeft: 1, amountLeft: 100_000 },
      ],
      returns: [answer.body.data],
    })
    const steps = (await shop.get(`${ORDERS}/${id}/timeline`)).body.data
    expect(steps.map(({ type }: Body) => type).slice(-2)).toEqual(['returned', 'payment'])
    expect(steps.at(-2)).toMatchObject({
      returnId: answer.body.data._id,
      amount: 200_000,
      quantity: 2,
      note: 'Chật',
    })
    const movements = (await shop.get(`${MOVEMENTS}?type=return`)).body.data.movements
    expect(movements).toMatchObject([{ type: 'return', quantity: 2, orderId: id }])
    const events = new Map((await eventsOf(running, shop.shopId)).map(({ type, data }) => [type, data]))
    expect([...events.keys()].sort()).toEqual(['order.returned', 'stock.changed'])
    expect(events.get('order.returned')).toMatchObject({
      amount: 200_000,
      refundAmount: 200_000,
      isPaid: true,
    })
    expect(events.get('stock.changed')).toMatchObject({ reason: 'return', orderId: id })
    await checkInvariants(db, shop.shopId)
  })

  it('a refund of everything leaves no debt, where a refund alone does; the list, its sums and the day follow', async () => {
    const { shop, id, itemId } = await sale(2)
    const sums = async (query = '') => (await shop.get(`${ORDERS}/sums?${query}`)).body.data
    const today = async () => (await shop.get('/api/external/overview?days=1')).body.data.total
    await payOrder(shop, id, 0)
    expect(await sums('paymentStatus=owed')).toMatchObject({ orders: 1, owed: 200_000 })
    expect((await bring(shop, id, itemId, 2)).status).toBe(201)
    expect(await sums('paymentStatus=owed')).toMatchObject({ orders: 0, owed: 0 })
    expect(await sums()).toMatchObject({ orders: 1, amount: 0 })
    expect(await today()).toMatchObject({ orders: 1, revenue: 0 })
    const [listed] = (await shop.get(ORDERS)).body.data.orders
    expect(listed).toMatchObject({ price: 200_000, returnedAmount: 200_000, paymentStatus: 'paid' })
    await checkInvariants(db, shop.shopId)
  })

  it('goods of a debt lower the debt first: nothing is refunded until it is paid', async () => {
    const shop = await makeShop(running)
    const customer = (await shop.post(CUSTOMERS, { fullName: 'Trần Bưởi' })).body.data
    const skuId = await stockedSku(shop, 10)
    const placed = await placeOrder(shop, skuId, 3, { userId: customer._id, paidAmount: 50_000 })
    await moveOrder(shop, placed._id, 'completed')
    const itemId = placed.orderItems[0]._id
    const refused = await bring(shop, placed._id, itemId, 1, { refundAmount: 1 })
    expect([refused.status, refused.body.code]).toEqual([400, 'REFUND_ABOVE_CREDIT'])
    expect((await bring(shop, placed._id, itemId, 1)).status).toBe(201)
    const debt = async () => (await shop.get(`${CUSTOMERS}/${customer._id}/debt`)).body.data
    expect(await debt()).toMatchObject({
      debt: 150_000,
      oldest: [{ price: 300_000, paidAmount: 50_000, left: 150_000 }],
    })
    const above = await payOrder(shop, placed._id, 200_001)
    expect([above.status, above.body.code]).toEqual([400, 'PAYMENT_ABOVE_PRICE'])
    const paid = await shop.post(`${CUSTOMERS}/${customer._id}/payments`, {
      amount: 150_000,
      paymentMethod: 'cash',
    })
    expect(paid.status).toBe(201)
    expect(await read(shop, placed._id)).toMatchObject({ paidAmount: 200_000, isPaid: true })
    expect(await debt()).toMatchObject({ debt: 0, orders: 0 })
    await checkInvariants(db, shop.shopId)
  })

  it('G-62 order.paid is sent once, by the return or the payment after which nothing is owed, with what was returned', async () => {
    const { shop, id, itemId, order } = await sale(3, { paidAmount: 100_000, paymentMethod: 'cash' })
    await listen(running, shop.shopId, ['order.returned', 'order.paid'])
    const told = async (of: string) =>
      (await eventsOf(running, shop.shopId)).filter(({ type }) => type === of).map(({ data }) => data)
    await bring(shop, id, itemId, 1)
    expect(await told('order.paid')).toEqual([])
    await bring(shop, id, itemId, 1)
    const data = { orderId: id, code: order.code, price: 300_000, paymentMethod: 'cash' }
    const paid = [{ ...data, paidAmount: 100_000, returnedAmount: 200_000 }]
    expect(await told('order.paid')).toEqual(paid)
    await bring(shop, id, itemId, 1, { refundAmount: 100_000 })
    expect(await told('order.paid')).toEqual(paid)
    expect((await told('order.returned')).map(({ isPaid }) => isPaid)).toEqual([false, true, true])

    const other = await sale(2, { paidAmount: 50_000 })
    await listen(running, other.shop.shopId, ['order.paid'])
    await bring(other.shop, other.id, other.itemId, 1)
    await payOrder(other.shop, other.id, 100_000, { paymentMethod: 'card' })
    expect((await eventsOf(running, other.shop.shopId)).map((event) => event.data)).toMatchObject([
      { price: 200_000, paidAmount: 100_000, returnedAmount: 100_000, paymentMethod: 'card' },
    ])
    await checkInvariants(db, shop.shopId)
  })

  it('with a fee the shop keeps it; with restock false nothing goes into stock; with a warehouse it goes there', async () => {
    const { shop, id, itemId, skuId } = await sale()
    const stockBefore = await stockOf(db, shop.shopId)
    const broken = await bring(shop, id, itemId, 1, { fee: 30_000, restock: false, refundAmount: 70_000 })
    expect(broken.body.data).toMatchObject({ amount: 70_000, fee: 30_000, warehouseId: null })
    expect(await stockOf(db, shop.shopId)).toEqual(stockBefore)
    const warehouseId = await makeWarehouse(shop)
    const moved = await bring(shop, id, itemId, 1, { warehouseId })
    expect(moved.body.data).toMatchObject({
      amount: 100_000,
      refundAmount: 0,
      paymentMethod: '',
      warehouseId,
    })
    expect((await stockOf(db, shop.shopId))[`${skuId} ${warehouseId}`]).toBe('1/0')
    expect(await read(shop, id)).toMatchObject({ returnedAmount: 170_000, paidAmount: 230_000 })
    await checkInvariants(db, shop.shopId)
  })

  it('the profit report and the best sellers leave out what came back', async () => {
    const shop = await makeShop(running)
    const skuId = await stockedSku(shop)
    await enter(shop, 'receive', [], { items: [{ skuId, quantity: 10, unitCost: 40_000 }] })
    const placed = await placeOrder(shop, skuId, 3, { isPaid: true, shippingFee: 20_000 })
    await moveOrder(shop, placed._id, 'completed')
    const profit = async () => (await shop.get('/api/external/v1/reports/profit?days=1')).body.data.total
    expect(await profit()).toMatchObject({ sales: 300_000, cost: 120_000, profit: 180_000 })
    await bring(shop, placed._id, placed.orderItems[0]._id, 2)
    expect(await profit()).toMatchObject({ sales: 100_000, cost: 40_000, profit: 60_000, lines: 1 })
    const goods = async () => (await shop.get('/api/external/overview?days=1')).body.data.topGoods.goods
    expect(await goods()).toMatchObject([{ quantity: 1 }])
    await bring(shop, placed._id, placed.orderItems[0]._id, 1)
    expect(await goods()).toEqual([])
    expect(await profit()).toMatchObject({ sales: 0, cost: 0, lines: 0 })
  })

  it('the profit report keeps the fee of a return, also when everything came back, and the cost of broken pieces', async () => {
    const shop = await makeShop(running)
    const [known, unknown] = [await stockedSku(shop), await stockedSku(shop, 10)]
    await enter(shop, 'receive', [], { items: [{ skuId: known, quantity: 10, unitCost: 50_000 }] })
    const sell = async (skuId: string, quantity: number) => {
      const { _id, orderItems } = await placeOrder(shop, skuId, quantity, { isPaid: true })
      await moveOrder(shop, _id, 'completed')
      return (more: Body) => bring(shop, _id, orderItems[0]._id, 1, more)
    }
    const profit = async () => (await shop.get('/api/external/v1/reports/profit?days=1')).body.data.total
    const bringOne = await sell(known, 2)
    await bringOne({ fee: 20_000 })
    const first = { sales: 120_000, salesWithCost: 120_000, cost: 50_000, profit: 70_000, lines: 1 }
    expect(await profit()).toMatchObject(first)
    await bringOne({ fee: 20_000 })
    const all = { sales: 40_000, salesWithCost: 40_000, cost: 0, profit: 40_000, lines: 0 }
    expect(await profit()).toMatchObject(all)
    // Of goods without a cost, a fee is profit and the rest is not.
    const bringUnknown = await sell(unknown, 2)
    await bringUnknown({ fee: 30_000 })
    expect(await profit()).toMatchObject({
      sales: 170_000,
      salesWithCost: 70_000,
      profit: 70_000,
      linesWithoutCost: 1,
    })
    await bringUnknown({ fee: 100_000 })
    expect(await profit()).toMatchObject({ sales: 170_000, salesWithCost: 170_000, linesWithoutCost: 0 })
    const bringBroken = await sell(known, 2)
    await bringBroken({ restock: false })
    expect(await profit()).toMatchObject({ sales: 270_000, cost: 100_000, profit: 170_000, lines: 1 })
    await bringBroken({})
    expect(await profit()).toMatchObject({ sales: 170_000, cost: 50_000, profit: 120_000, lines: 0 })
  })

  it('a refund in cash leaves the drawer of the shift that is open', async () => {
    const { shop, id, itemId } = await sale()
    const shift = (await shop.post('/api/external/v1/shifts', { openingCash: 500_000 })).body.data
    await bring(shop, id, itemId, 1, { refundAmount: 100_000 })
    expect((await shop.get(`/api/external/v1/shifts/${shift._id}`)).body.data).toMatchObject({
      expectedCash: 400_000,
    })
  })

  it('400 for more pieces than are left, a line twice, another order’s line, a fee above the pieces, a warehouse for pieces that go nowhere; 409 before completion', async () => {
    const { shop, id, itemId } = await sale()
    await bring(shop, id, itemId, 2)
    const above = await bring(shop, id, itemId, 2)
    expect([above.status, above.body.code]).toEqual([400, 'RETURN_ABOVE_SOLD'])
    expect(above.body.message).toContain('2 / 1')
    const keys = ({ status, body }: { status: number; body: Body }) => [status, body.validation?.body.keys]
    const lines = [
      { orderItemId: itemId, quantity: 1 },
      { orderItemId: itemId, quantity: 1 },
    ]
    expect(keys(await shop.post(`${ORDERS}/${id}/returns`, { lines }))).toEqual([
      400,
      ['lines.1.orderItemId'],
    ])
    expect(keys(await bring(shop, id, unusedId(), 1))).toEqual([400, ['lines.0.orderItemId']])
    expect(keys(await bring(shop, id, 'x', 1))).toEqual([400, ['lines.0.orderItemId']])
    expect(keys(await bring(shop, id, itemId, 1, { fee: 100_001 }))).toEqual([400, ['fee']])
    expect(keys(await bring(shop, id, itemId, 1, { warehouseId: unusedId() }))).toEqual([
      400,
      ['warehouseId'],
    ])
    const warehouseId = await makeWarehouse(shop)
    const contradiction = await bring(shop, id, itemId, 1, { restock: false, warehouseId })
    expect(keys(contradiction)).toEqual([400, ['warehouseId']])
    expect(contradiction.body.validation.body.message).toBe(
      '"warehouseId" is allowed only for pieces that are in stock again',
    )
    expect(keys(await bring(shop, id, itemId, 0))).toEqual([400, ['lines.0.quantity']])
    const open = await placeOrder(shop, (await read(shop, id)).orderItems[0].skuId)
    const early = await bring(shop, open._id, open.orderItems[0]._id, 1)
    expect([early.status, early.body.code]).toEqual([409, 'ORDER_NOT_RETURNABLE'])
    expect((await returnsOf(shop, id)).returns).toHaveLength(1)
    await checkInvariants(db, shop.shopId)
  })

  it('400 for a warehouse that is deleted between its check and the booking', async () => {
    const { shop, id, itemId } = await sale()
    const warehouseId = await makeWarehouse(shop)
    const beforeBegin = async () => {
      expect((await shop.call('DELETE', `${WAREHOUSES}/${warehouseId}`)).status).toBe(200)
    }
    const deps = { ...running.deps, db: failingTransactions(db, () => ({ beforeBegin })) }
    const asked = { lines: [{ orderItemId: itemId, quantity: 1 }], warehouseId }
    const booked = returnGoods(deps, shop.shopId, id, asked, unusedId(), OWN_EDIT)
    await expect(booked).rejects.toMatchObject({ problems: [{ path: ['warehouseId'] }] })
    expect((await returnsOf(shop, id)).returns).toEqual([])
  })

  it('into the new default warehouse, if the previous one is deleted between its check and the booking', async () => {
    const { shop, id, itemId } = await sale()
    const next = (await shop.get(WAREHOUSES)).body.data.warehouses[0]._id
    const unused = await makeWarehouse(shop, { isDefault: true })
    const beforeBegin = async () => {
      await shop.patch(`${WAREHOUSES}/${next}`, { isDefault: true })
      expect((await shop.call('DELETE', `${WAREHOUSES}/${unused}`)).status).toBe(200)
    }
    const once = failingTransactions(db, (n) => (n === 0 ? { beforeBegin } : undefined))
    const asked = { lines: [{ orderItemId: itemId, quantity: 1 }] }
    const booked = await returnGoods(
      { ...running.deps, db: once },
      shop.shopId,
      id,
      asked,
      unusedId(),
      OWN_EDIT,
    )
    expect(booked.warehouseId).toBe(next)
    await checkInvariants(db, shop.shopId)
  })

  it('409 TOO_MANY_RETURNS beyond 1,000 returns of an order, all of which are listed', async () => {
    const { shop, id, itemId } = await sale()
    await sql`
      with made as (
        insert into order_returns (shop_id, id, order_id, amount, created_at)
        select ${shop.shopId}, new_object_id(now()), ${id}, 0, now()
        from generate_series(1, 999)
        returning shop_id, id
      )
      insert into order_return_lines (shop_id, return_id, order_item_id, quantity, amount)
      select shop_id, id, ${itemId}, 1, 0
      from made`.execute(db)
    const last = await bring(shop, id, itemId, 1)
    expect(last.status).toBe(201)
    const beyond = await bring(shop, id, itemId, 1)
    expect([beyond.status, beyond.body.code]).toEqual([409, 'TOO_MANY_RETURNS'])
    const { returns, lines } = await returnsOf(shop, id)
    expect([returns.length, lines[0].quantityLeft]).toEqual([1000, 2])
    expect(returns.map((one: Body) => one.id)).toContain(last.body.data.id)
  })

  it('404 for another shop’s order, 400 for another shop’s warehouse, and nothing is booked', async () => {
    const { shop, id, itemId } = await sale()
    const other = await makeShop(running)
    expect((await bring(other, id, itemId, 1)).status).toBe(404)
    expect((await other.get(`${ORDERS}/${id}/returns`)).status).toBe(404)
    expect((await bring(shop, id, itemId, 1, { warehouseId: await makeWarehouse(other) })).status).toBe(400)
    expect((await returnsOf(shop, id)).returns).toEqual([])
  })

  it('412 with a version that is no longer the order’s; once however often it is sent with its key', async () => {
    const { shop, id, itemId, order } = await sale()
    await payOrder(shop, id, 300_000, { paymentMethod: 'card' })
    expect((await bring(shop, id, itemId, 1, {}, { 'if-match': `"${order.__v}"` })).status).toBe(412)
    const key = withKey('return-1')
    await bring(shop, id, itemId, 1, {}, key)
    await loseAnswer(db, shop.shopId, 'return-1')
    const again = await bring(shop, id, itemId, 1, {}, key)
    expect(again.status).toBe(201)
    expect((await returnsOf(shop, id)).returns).toHaveLength(1)
    await checkInvariants(db, shop.shopId)
  })

  it('returns at once give back each piece once, beside sales and receipts of the same goods', async () => {
    const { shop, id, itemId, skuId } = await sale(5)
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => bring(shop, id, itemId, 2, { refundAmount: 200_000 })),
      ...Array.from({ length: 4 }, () =>
        placeOrder(shop, skuId, 1).then(({ _id }) => moveOrder(shop, _id, 'completed')),
      ),
      enter(shop, 'receive', [[skuId, 5]]).then(() => ({ status: 201 })),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201, 201, 201, 400, 400])
    expect(await read(shop, id)).toMatchObject({ returnedAmount: 400_000, paidAmount: 100_000 })
    await checkInvariants(db, shop.shopId)
  })
})
