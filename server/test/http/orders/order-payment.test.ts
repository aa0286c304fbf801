import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { onPostgres } from '../../support/database.ts'
import { loseAnswer, withKey } from '../../support/idempotency.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { stockedSku } from '../../support/inventory.ts'
import { lockWaits } from '../../support/lock-waits.ts'
import { moveOrder, ORDERS, payOrder, placeOrder } from '../../support/order-changes.ts'
import { makeShop, service, unusedId } from '../../support/service.ts'
import { eventsOf, listen } from '../../support/webhooks.ts'

const running = await service()
const { db } = running.database

describe('G-40 PATCH order payment', () => {
  it('200 sets what has been paid in all, with a gateway payment of each difference', async () => {
    const partner = await makeShop(running)
    await listen(running, partner.shopId, ['order.paid'])
    const order = await placeOrder(partner, await stockedSku(partner, 5))
    const half = await payOrder(partner, order._id, 40_000, { paymentMethod: 'cash', note: 'Đặt cọc' })
    expect(half.body).toMatchObject({ success: true, message: 'Order updated' })
    const [deposit] = half.body.data.gatewayPayments
    expect(half.body.data).toEqual({
      ...order,
      __v: 1,
      paidAmount: 40_000,
      isPaid: false,
      paymentStatus: 'partially_paid',
      paymentMethod: 'cash',
      gatewayPayments: [
        {
          _id: deposit._id,
          id: deposit._id,
          orderId: order._id,
          amount: 40_000,
          method: 'cash',
          note: 'Đặt cọc',
          createdAt: deposit.createdAt,
        },
      ],
      updatedAt: half.body.data.updatedAt,
    })
    const full = (await payOrder(partner, order._id, 100_000, { paymentMethod: 'transfer' })).body.data
    expect(full).toMatchObject({ paidAmount: 100_000, isPaid: true, paymentStatus: 'paid', __v: 2 })
    expect(full.gatewayPayments).toMatchObject([
      { amount: 40_000, method: 'cash' },
      { amount: 60_000, method: 'transfer', note: '' },
    ])
    const events = await eventsOf(running, partner.shopId)
    expect(events.map(({ data }) => data)).toEqual([
      {
        orderId: order._id,
        code: order.code,
        price: 100_000,
        paidAmount: 100_000,
        paymentMethod: 'transfer',
      },
    ])
    await checkInvariants(db, partner.shopId)
  })

  it('200 and nothing is added when the same total comes again, one by one or at once', async () => {
    const partner = await makeShop(running)
    const order = await placeOrder(partner, await stockedSku(partner, 5))
    const answers = await Promise.all([1, 2, 3, 4].map(() => payOrder(partner, order._id, 70_000)))
    for (const { body } of answers) {
      expect(body.data).toMatchObject({ paidAmount: 70_000, __v: 1 })
      expect(body.data.gatewayPayments).toHaveLength(1)
    }
  })

  it('different totals at once: the last is kept, and its records add up to it', async () => {
    const partner = await makeShop(running)
    const order = await placeOrder(partner, await stockedSku(partner, 5))
    await Promise.all([10_000, 90_000, 30_000, 60_000].map((paid) => payOrder(partner, order._id, paid)))
    const { paidAmount, gatewayPayments } = (await partner.get(`${ORDERS}/${order._id}`)).body.data
    const sum = gatewayPayments.reduce((total: number, one: { amount: number }) => total + one.amount, 0)
    expect(sum).toBe(paidAmount)
  })

  it('200 gives money back as a payment below 0, also after cancelling', async () => {
    const partner = await makeShop(running)
    const order = await placeOrder(partner, await stockedSku(partner, 5), 1, { isPaid: true })
    await moveOrder(partner, order._id, 'cancelled')
    const back = (await payOrder(partner, order._id, 0, { note: 'Hoàn tiền' })).body.data
    expect(back).toMatchObject({ paidAmount: 0, isPaid: false, paymentStatus: 'not_paid' })
    expect(back.gatewayPayments).toMatchObject([{ amount: 100_000 }, { amount: -100_000, note: 'Hoàn tiền' }])
  })

  it('200 changes the method alone, without a payment', async () => {
    const partner = await makeShop(running)
    const order = await placeOrder(partner, await stockedSku(partner, 5), 1, { paymentMethod: 'cod' })
    const { paymentMethod, gatewayPayments, __v } = (
      await payOrder(partner, order._id, 0, { paymentMethod: 'transfer' })
    ).body.data
    expect([paymentMethod, gatewayPayments, __v]).toEqual(['transfer', [], 1])
    expect((await partner.get(`${ORDERS}?paymentMethod=transfer`)).body.data.meta.total).toBe(1)
    await checkInvariants(db, partner.shopId)
  })

  it.each([
    ['of a total', 10_000],
    ['of the method alone', 0],
  ])(
    'G-10 200 and nothing is added when a request %s is repeated after its response was lost and others have paid',
    async (_what, paidAmount) => {
      const partner = await makeShop(running)
      const order = await placeOrder(partner, await stockedSku(partner, 5))
      const path = `${ORDERS}/${order._id}/payment`
      const pay = () =>
        partner.call(
          'PATCH',
          path,
          { paidAmount, paymentMethod: 'cash' },
          { ...withKey('k'), 'if-match': '"0"' },
        )
      const first = await pay()
      expect(first.status).toBe(200)
      await loseAnswer(db, partner.shopId, 'k')
      const later = (await payOrder(partner, order._id, 30_000)).body
      const again = await pay()
      expect([again.status, again.body, again.headers.etag]).toEqual([200, later, '"2"'])
      expect((await pay()).headers['idempotency-replayed']).toBe('true')
      await checkInvariants(db, partner.shopId)
    },
  )

  it('400 above the price, 409 for more on a cancelled order; nothing is recorded', async () => {
    const partner = await makeShop(running)
    const order = await placeOrder(partner, await stockedSku(partner, 5))
    const above = await payOrder(partner, order._id, 100_001)
    expect(above).toMatchObject({ status: 400, body: { code: 'PAYMENT_ABOVE_PRICE' } })
    expect(above.body.message).toBe('paidAmount is 100001, but the order amounts to 100000')
    await moveOrder(partner, order._id, 'cancelled')
    expect(await payOrder(partner, order._id, 1)).toMatchObject({
      status: 409,
      body: { code: 'ORDER_CANCELLED' },
    })
    expect((await partner.get(`${ORDERS}/${order._id}`)).body.data.gatewayPayments).toEqual([])
  })

  it('400 for an invalid amount or method, 404 for an unknown order', async () => {
    const partner = await makeShop(running)
    const order = await placeOrder(partner, await stockedSku(partner, 5))
    for (const paidAmount of [-1, 1.5, '5', null]) {
      expect((await payOrder(partner, order._id, paidAmount as number)).status).toBe(400)
    }
    expect((await payOrder(partner, order._id, 1, { paymentMethod: 'x'.repeat(51) })).status).toBe(400)
    expect((await payOrder(partner, unusedId(), 1)).status).toBe(404)
  })
})

// The embedded database has one connection, so nothing waits there.
describe.runIf(onPostgres)('G-40 a payment that waits for another change of its order', () => {
  it('is dated after that change, so the payments are listed as the totals followed each other', async () => {
    const partner = await makeShop(running)
    const { _id } = await placeOrder(partner, await stockedSku(partner, 5))
    let waited = 0
    let paying: ReturnType<typeof payOrder> | undefined
    await db.transaction().execute(async (trx) => {
      await sql`select from orders where shop_id = ${partner.shopId} and id = ${_id} for update`.execute(trx)
      paying = payOrder(partner, _id, 100_000)
      await lockWaits(db, 1)
      waited = Date.now()
      // Far longer than the two clocks differ.
      await pause(200)
    })
    const [payment] = (await paying!).body.data.gatewayPayments
    expect(Date.parse(payment.createdAt)).toBeGreaterThanOrEqual(waited + 100)
  })
})
