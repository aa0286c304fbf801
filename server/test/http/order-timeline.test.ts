import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { stockedSku } from '../support/inventory.ts'
import { moveOrder, ORDERS, payOrder, placeOrder } from '../support/order-changes.ts'
import { makeShop, service, unusedId } from '../support/service.ts'
import { importOrders } from './order-fixtures.ts'

const running = await service()
const { db } = running.database

describe('G-40 GET order timeline', () => {
  it('200 with creation, payments and statuses, the oldest first', async () => {
    const partner = await makeShop(running)
    const order = await placeOrder(partner, await stockedSku(partner, 5), 1, {
      paidAmount: 30_000,
      paymentMethod: 'cash',
    })
    const confirmed = (await moveOrder(partner, order._id, 'confirmed')).body.data
    const paid = (await payOrder(partner, order._id, 50_000, { note: 'đợt 2' })).body.data
    const cancelled = (await moveOrder(partner, order._id, 'cancelled', { reasonCancel: 'hết hàng' })).body
      .data
    const [first, second] = paid.gatewayPayments
    const { status, body } = await partner.get(`${ORDERS}/${order._id}/timeline`)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: [
        { type: 'created', at: order.createdAt, status: 'pending' },
        {
          type: 'payment',
          at: order.createdAt,
          paymentId: first._id,
          amount: 30_000,
          method: 'cash',
          note: '',
        },
        { type: 'status_changed', at: confirmed.updatedAt, from: 'pending', to: 'confirmed' },
        {
          type: 'payment',
          at: paid.updatedAt,
          paymentId: second._id,
          amount: 20_000,
          method: 'cash',
          note: 'đợt 2',
        },
        {
          type: 'status_changed',
          at: cancelled.updatedAt,
          from: 'confirmed',
          to: 'cancelled',
          reasonCancel: 'hết hàng',
        },
      ],
    })
    expect((await partner.get(`${ORDERS}/${unusedId()}/timeline`)).status).toBe(404)
  })

  it('what any writer does is told, and no one can change it afterwards', async () => {
    const partner = await makeShop(running)
    const [id] = await importOrders(db, partner.shopId, [
      { status: 'shipping', createdAt: new Date('2026-01-02') },
    ])
    await sql`update orders set status = 'delivered' where shop_id = ${partner.shopId} and id = ${id}`.execute(
      db,
    )
    const steps = (await partner.get(`${ORDERS}/${id}/timeline`)).body.data
    expect(steps).toMatchObject([
      { type: 'created', at: '2026-01-02T00:00:00.000Z', status: 'shipping' },
      { type: 'status_changed', from: 'shipping', to: 'delivered' },
    ])
    for (const change of [
      sql`delete from order_events where shop_id = ${partner.shopId}`,
      sql`update order_events set kind = 'status' where shop_id = ${partner.shopId}`,
    ]) {
      await expect(change.execute(db)).rejects.toThrow('append-only')
    }
  })

  it('orders from before the timeline have their creation and payments in it', async () => {
    const partner = await makeShop(running)
    const order = await placeOrder(partner, await stockedSku(partner, 5), 1, { isPaid: true })
    const file = fileURLToPath(new URL('../../migrations/0013_order_events.sql', import.meta.url))
    const backfill = readFileSync(file, 'utf8').match(/^insert into order_events[\s\S]*?;$/gm)!
    expect(backfill).toHaveLength(2)
    await sql`alter table order_events disable trigger order_events_append_only`.execute(db)
    await sql`delete from order_events`.execute(db)
    await sql`alter table order_events enable trigger order_events_append_only`.execute(db)
    for (const statement of backfill) await sql.raw(statement).execute(db)
    expect((await partner.get(`${ORDERS}/${order._id}/timeline`)).body.data).toMatchObject([
      { type: 'created', at: order.createdAt, status: null },
      { type: 'payment', amount: 100_000 },
    ])
  })
})
