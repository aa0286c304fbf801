import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { POS, stockedSku } from '../support/inventory.ts'
import { makePerson, signIn } from '../support/members.ts'
import { moveOrder, ORDERS, payOrder, placeOrder } from '../support/order-changes.ts'
import { makeShop, send, service, unusedId } from '../support/service.ts'
import { importOrders } from './order-fixtures.ts'

const running = await service()
const { db } = running.database

/** The shop's first key, as it is named in responses. */
async function keyOf(shopId: string) {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from api_keys where shop_id = ${shopId}`.execute(db)
  return { type: 'key', ...rows[0]! }
}

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
    const by = await keyOf(partner.shopId)
    expect(body).toEqual({
      success: true,
      data: [
        { type: 'created', at: order.createdAt, by, status: 'pending' },
        {
          type: 'payment',
          at: order.createdAt,
          by,
          paymentId: first._id,
          amount: 30_000,
          method: 'cash',
          note: '',
        },
        { type: 'status_changed', at: confirmed.updatedAt, by, from: 'pending', to: 'confirmed' },
        {
          type: 'payment',
          at: paid.updatedAt,
          by,
          paymentId: second._id,
          amount: 20_000,
          method: 'cash',
          note: 'đợt 2',
        },
        {
          type: 'status_changed',
          at: cancelled.updatedAt,
          by,
          from: 'confirmed',
          to: 'cancelled',
          reasonCancel: 'hết hàng',
        },
      ],
    })
    expect((await partner.get(`${ORDERS}/${unusedId()}/timeline`)).status).toBe(404)
  })

  it('names who did each: the member, by e-mail where there is no name, and the key', async () => {
    const partner = await makeShop(running)
    const [lan, nameless] = [
      await makePerson(running.deps, { shopId: partner.shopId, role: 'staff' }),
      await makePerson(running.deps, { shopId: partner.shopId, role: 'owner' }),
    ]
    await sql`update users set name = '' where id = ${nameless.id}`.execute(db)
    const as = async (email: string) => ({
      cookie: await signIn(running, email),
      'x-shop-id': partner.shopId,
    })
    const byLan = await as(lan.email)
    const line = { orderItems: [{ id: await stockedSku(partner, 5), quantity: 1 }], paidAmount: 30_000 }
    const order = (await send(running, 'POST', POS, line, byLan)).body.data
    await send(
      running,
      'PATCH',
      `${ORDERS}/${order._id}/status`,
      { status: 'confirmed' },
      await as(nameless.email),
    )
    await payOrder(partner, order._id, 100_000)
    const steps = (await partner.get(`${ORDERS}/${order._id}/timeline`)).body.data
    const member = (id: string, name: string) => ({ type: 'member', id, name })
    expect(steps.map(({ type, by }: { type: string; by: unknown }) => [type, by])).toEqual([
      ['created', member(lan.id, 'Người thử')],
      ['payment', member(lan.id, 'Người thử')],
      ['status_changed', member(nameless.id, nameless.email)],
      ['payment', await keyOf(partner.shopId)],
    ])
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
