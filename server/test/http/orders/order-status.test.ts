import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { onPostgres } from '../../support/database.ts'
import { loseAnswer, withKey } from '../../support/idempotency.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { enter, MOVEMENTS, makeWarehouse, stockedSku, stockOf } from '../../support/inventory.ts'
import { lockWaits } from '../../support/lock-waits.ts'
import { moveOrder, ORDERS, placeOrder } from '../../support/order-changes.ts'
import { PRODUCTS } from '../../support/products.ts'
import { type Answer, makeShop, service, unusedId } from '../../support/service.ts'
import { eventsOf, listen } from '../../support/webhooks.ts'

const running = await service()
const { db } = running.database

const outcome = ({ status, body }: Answer) => (status === 200 ? body.data.status : `${status} ${body.code}`)

describe('G-40 PATCH order status', () => {
  it('200 forwards, steps may be skipped, complete is read as completed; __v, updatedAt and the lines follow', async () => {
    const partner = await makeShop(running)
    const order = await placeOrder(partner, await stockedSku(partner, 5))
    const moved = await moveOrder(partner, order._id, 'processing', { shopId: 1 })
    expect(moved).toMatchObject({ status: 200, body: { success: true, message: 'Order updated' } })
    expect(moved.body.data).toEqual({
      ...order,
      status: 'processing',
      __v: 1,
      updatedAt: moved.body.data.updatedAt,
      orderItems: [{ ...order.orderItems[0], status: 'processing' }],
    })
    for (const [asked, becomes] of [
      ['ready_to_ship', 'ready_to_ship'],
      ['shipping', 'shipping'],
      ['delivered', 'delivered'],
      ['complete', 'completed'],
    ] as const) {
      expect(outcome(await moveOrder(partner, order._id, asked))).toBe(becomes)
    }
    const listed = (await partner.get(ORDERS)).body.data
    expect(listed.orderCountByStatus).toMatchObject({ pending: 0, completed: 1 })
  })

  it('G-10 200 and nothing is moved when a request is repeated after its response was lost and others moved the order on', async () => {
    const partner = await makeShop(running)
    const order = await placeOrder(partner, await stockedSku(partner, 5))
    const confirm = () =>
      partner.call(
        'PATCH',
        `${ORDERS}/${order._id}/status`,
        { status: 'confirmed' },
        { ...withKey('k'), 'if-match': '"0"' },
      )
    expect((await confirm()).status).toBe(200)
    await loseAnswer(db, partner.shopId, 'k')
    const later = (await moveOrder(partner, order._id, 'cancelled')).body
    const again = await confirm()
    expect([again.status, again.body, again.headers.etag]).toEqual([200, later, '"2"'])
    await checkInvariants(db, partner.shopId)
  })

  it('completion takes the pieces out of the warehouses they were reserved in, with order movements', async () => {
    const partner = await makeShop(running)
    const second = await makeWarehouse(partner)
    const skuId = await stockedSku(partner, 2)
    await enter(partner, 'receive', [[skuId, 5]], { warehouseId: second })
    await listen(running, partner.shopId, ['stock.changed'])
    const order = await placeOrder(partner, skuId, 4)
    await moveOrder(partner, order._id, 'completed')
    expect(Object.values(await stockOf(db, partner.shopId))).toEqual(['3/0'])
    const { movements } = (await partner.get(`${MOVEMENTS}?orderId=${order._id}`)).body.data
    expect(movements.map((one: { type: string; quantity: number }) => [one.type, one.quantity])).toEqual([
      ['order', -2],
      ['order', -2],
    ])
    const [product] = (await partner.get(PRODUCTS)).body.data.products
    expect(product).toMatchObject({ totalQuantity: 3, reservedQuantity: 0, stock_quantity: 3 })
    const taken = (await eventsOf(running, partner.shopId)).find(({ data }) => data.reason === 'take')
    expect(taken?.data).toMatchObject({ orderId: order._id, items: [{ reserved: 0 }, { reserved: 0 }] })
    await checkInvariants(db, partner.shopId)
  })

  it('cancelling frees the pieces, keeps its reason, and moves nothing', async () => {
    const partner = await makeShop(running, { oversell: 'deny' })
    const skuId = await stockedSku(partner, 2)
    const order = await placeOrder(partner, skuId, 2)
    const cancelled = await moveOrder(partner, order._id, 'cancelled', { reasonCancel: 'Khách đổi ý' })
    expect(cancelled.body.data).toMatchObject({ status: 'cancelled', reasonCancel: 'Khách đổi ý' })
    expect(Object.values(await stockOf(db, partner.shopId))).toEqual(['2/0'])
    expect((await partner.get(`${MOVEMENTS}?orderId=${order._id}`)).body.data.movements).toEqual([])
    await placeOrder(partner, skuId, 2)
    await checkInvariants(db, partner.shopId)
  })

  it('an oversold order takes what it was promised: stock below 0 where the shop allows it', async () => {
    const partner = await makeShop(running)
    const skuId = await stockedSku(partner, 1)
    const order = await placeOrder(partner, skuId, 3)
    await moveOrder(partner, order._id, 'completed')
    expect(Object.values(await stockOf(db, partner.shopId))).toEqual(['-2/0'])
    await checkInvariants(db, partner.shopId)
  })

  it('200 and nothing changes when it has the status already, whatever reason comes with it', async () => {
    const partner = await makeShop(running)
    await listen(running, partner.shopId, ['order.status_changed', 'stock.changed'])
    const order = await placeOrder(partner, await stockedSku(partner, 5))
    const first = await moveOrder(partner, order._id, 'cancelled', { reasonCancel: 'a' })
    const events = (await eventsOf(running, partner.shopId)).length
    const again = await moveOrder(partner, order._id, 'cancelled', { reasonCancel: 'b' })
    expect(again.body).toEqual(first.body)
    expect(await eventsOf(running, partner.shopId)).toHaveLength(events)
    expect((await partner.get(`${ORDERS}/${order._id}/timeline`)).body.data).toHaveLength(2)
  })

  it('409 backwards, out of cancelled, and for cancelling what is delivered; then nothing has changed', async () => {
    const partner = await makeShop(running)
    const skuId = await stockedSku(partner, 9)
    const [delivered, cancelled] = [await placeOrder(partner, skuId), await placeOrder(partner, skuId)]
    await moveOrder(partner, delivered._id, 'delivered')
    await moveOrder(partner, cancelled._id, 'cancelled')
    const refused = await moveOrder(partner, delivered._id, 'cancelled')
    expect(refused.body).toEqual({
      statusCode: 409,
      error: 'Conflict',
      message:
        'An order in status delivered cannot be cancelled. Orders can be cancelled only before delivery',
      code: 'ORDER_NOT_CANCELLABLE',
    })
    expect(outcome(await moveOrder(partner, delivered._id, 'shipping'))).toBe('409 ORDER_STATUS_NOT_ALLOWED')
    const backwards = await partner.call(
      'PATCH',
      `${ORDERS}/${delivered._id}/status`,
      { status: 'ready_to_ship' },
      { 'accept-language': 'vi' },
    )
    expect(backwards.body.message).toContain('ở trạng thái Đã giao không chuyển sang Chờ giao được')
    expect(outcome(await moveOrder(partner, cancelled._id, 'pending'))).toBe('409 ORDER_STATUS_NOT_ALLOWED')
    expect(outcome(await moveOrder(partner, cancelled._id, 'completed'))).toBe('409 ORDER_STATUS_NOT_ALLOWED')
    expect((await partner.get(`${ORDERS}/${delivered._id}`)).body.data).toMatchObject({
      status: 'delivered',
      __v: 1,
    })
    await checkInvariants(db, partner.shopId)
  })

  it('400 for an invalid status, a reason without a cancellation, an unknown field; 404 for an unknown order', async () => {
    const partner = await makeShop(running)
    const { _id } = await placeOrder(partner, await stockedSku(partner, 1))
    const message = async (body: object) =>
      (await partner.patch(`${ORDERS}/${_id}/status`, body)).body.validation.body.message
    expect(await message({ status: 'lost' })).toContain('"status" must be one of')
    expect(await message({})).toBe('"status" is required')
    expect(await message({ status: 'shipping', reasonCancel: 'x' })).toBe(
      '"reasonCancel" is allowed only with the status cancelled',
    )
    expect(await message({ status: 'shipping', code: 'x' })).toBe('"code" is not allowed')
    expect((await moveOrder(partner, unusedId(), 'shipping')).status).toBe(404)
    expect((await moveOrder(partner, 'x', 'shipping')).status).toBe(500)
  })

  it('two changes at once: one wins, the other is refused by the rule, and stock is settled once', async () => {
    const partner = await makeShop(running)
    const skuId = await stockedSku(partner, 100)
    for (let round = 0; round < 12; round++) {
      const { _id } = await placeOrder(partner, skuId, 2)
      const answers = await Promise.all([
        moveOrder(partner, _id, 'completed'),
        moveOrder(partner, _id, 'cancelled'),
        moveOrder(partner, _id, 'completed'),
        moveOrder(partner, _id, 'shipping'),
      ])
      const outcomes = answers.map(outcome)
      const end = (await partner.get(`${ORDERS}/${_id}`)).body.data.status
      expect(['completed', 'cancelled']).toContain(end)
      const refusal = end === 'completed' ? '409 ORDER_NOT_CANCELLABLE' : '409 ORDER_STATUS_NOT_ALLOWED'
      expect(outcomes.slice(0, 3)).toEqual(
        end === 'completed' ? [end, refusal, end] : [refusal, end, refusal],
      )
    }
    await checkInvariants(db, partner.shopId)
  })
})

// The embedded database has one connection, so nothing waits there.
describe.runIf(onPostgres)('G-40 a completion that waits for another change of its goods', () => {
  it('is dated after that change, so that the movements are listed as the stock followed each other', async () => {
    const partner = await makeShop(running)
    const { _id } = await placeOrder(partner, await stockedSku(partner, 5))
    let waited = 0
    let completing: ReturnType<typeof moveOrder> | undefined
    await db.transaction().execute(async (trx) => {
      await sql`select from stock where shop_id = ${partner.shopId} for update`.execute(trx)
      completing = moveOrder(partner, _id, 'completed')
      await lockWaits(db, 1)
      waited = Date.now()
      // Far longer than the two clocks differ.
      await pause(200)
    })
    const completed = (await completing!).body.data
    expect(Date.parse(completed.updatedAt)).toBeGreaterThanOrEqual(waited + 100)
    const { movements } = (await partner.get(`${MOVEMENTS}?orderId=${_id}`)).body.data
    expect(Date.parse(movements[0].createdAt)).toBeGreaterThanOrEqual(waited + 100)
  })
})
