import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { POS, stockedSku } from '../../support/inventory.ts'
import { makePerson, signIn } from '../../support/members.ts'
import { moveOrder, ORDERS, payOrder, placeOrder } from '../../support/order-changes.ts'
import { makeShop, send, service, unusedId } from '../../support/service.ts'
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
      soldBy: by,
      sentBy: null,
    })
    expect((await partner.get(`${ORDERS}/${unusedId()}/timeline`)).status).toBe(404)
  })

  it('names who did each: the member, by email where there is no name, and the key', async () => {
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

  it('x-sale-age: an order, its first payment and its creation are dated when it was sold; what follows is not', async () => {
    const partner = await makeShop(running)
    const body = {
      orderItems: [{ id: await stockedSku(partner, 5), quantity: 1 }],
      paidAmount: 30_000,
      paymentMethod: 'cash',
    }
    const order = (await partner.post(POS, body, { 'x-sale-age': '90000' })).body.data
    const ageMs = Date.parse(order.updatedAt) - Date.parse(order.createdAt)
    expect(ageMs).toBeGreaterThanOrEqual(90_000_000)
    expect(ageMs).toBeLessThan(90_060_000)
    expect(order.gatewayPayments[0].createdAt).toBe(order.createdAt)
    expect((await partner.get(`${ORDERS}/${order._id}`)).body.data).toEqual(order)
    const confirmed = (await moveOrder(partner, order._id, 'confirmed')).body.data
    const steps = (await partner.get(`${ORDERS}/${order._id}/timeline`)).body.data
    expect(steps.map(({ type, at }: { type: string; at: string }) => [type, at])).toEqual([
      ['created', order.createdAt],
      ['payment', order.createdAt],
      ['status_changed', confirmed.updatedAt],
    ])
  })

  it('x-sold-by: of a kept sale that another sends it names both, and its money is the seller’s; still so without the timeline', async () => {
    const partner = await makeShop(running)
    const { shopId } = partner
    const [lan, mai] = [
      await makePerson(running.deps, { shopId, role: 'staff' }),
      await makePerson(running.deps, { shopId, role: 'staff' }),
    ]
    const headers = { cookie: await signIn(running, mai.email), 'x-shop-id': shopId }
    const shifts = '/api/external/v1/shifts'
    const byLan = { cookie: await signIn(running, lan.email), 'x-shop-id': shopId }
    const shift = (await send(running, 'POST', shifts, { openingCash: 0 }, byLan)).body.data
    await send(running, 'POST', shifts, { openingCash: 0 }, headers)
    const body = {
      orderItems: [{ id: await stockedSku(partner, 5), quantity: 1 }],
      paidAmount: 30_000,
      paymentMethod: 'cash',
    }
    const kept = { ...headers, 'x-sale-age': '0', 'x-sold-by': lan.id }
    const order = (await send(running, 'POST', POS, body, kept)).body.data
    const path = `${ORDERS}/${order._id}`
    expect((await send(running, 'PATCH', `${path}/payment`, { paidAmount: 100_000 }, kept)).status).toBe(200)
    const seller = { type: 'member', id: lan.id, name: 'Người thử' }
    const sender = { type: 'member', id: mai.id, name: 'Người thử' }
    const timeline = async () => (await partner.get(`${path}/timeline`)).body
    const { data, ...who } = await timeline()
    expect(who).toEqual({ success: true, soldBy: seller, sentBy: sender })
    expect(data.map(({ type, by }: { type: string; by: unknown }) => [type, by])).toEqual([
      ['created', sender],
      ['payment', seller],
      ['payment', seller],
    ])
    expect((await partner.get(`${shifts}/${shift._id}`)).body.data.expectedCash).toBe(100_000)
    expect((await partner.get(`${ORDERS}?soldBy=${lan.id}`)).body.data.meta.total).toBe(1)
    expect((await partner.get(`${ORDERS}?soldBy=${mai.id}`)).body.data.meta.total).toBe(0)

    await sql`alter table order_events disable trigger order_events_append_only`.execute(db)
    await sql`delete from order_events where shop_id = ${shopId}`.execute(db)
    await sql`alter table order_events enable trigger order_events_append_only`.execute(db)
    expect(await timeline()).toEqual({ success: true, data: [], soldBy: seller, sentBy: sender })
    // Who sends their own sale is not named twice.
    const own = { ...kept, 'x-sold-by': mai.id }
    const { _id } = (await send(running, 'POST', POS, body, own)).body.data
    expect((await partner.get(`${ORDERS}/${_id}/timeline`)).body).toMatchObject({
      soldBy: sender,
      sentBy: null,
    })
  })

  it('400 for x-sold-by naming an unknown member, another shop’s member or a key, and without the age of a kept sale', async () => {
    const partner = await makeShop(running)
    const stranger = await makePerson(running.deps, { shopId: (await makeShop(running)).shopId })
    const own = await makePerson(running.deps, { shopId: partner.shopId })
    const body = { orderItems: [{ id: await stockedSku(partner, 5), quantity: 1 }], paidAmount: 0 }
    const { _id } = (await partner.post(POS, body)).body.data
    const age = { 'x-sale-age': '60' }
    for (const [header, headers] of [
      ['x-sold-by', { ...age, 'x-sold-by': 'Lan' }],
      ['x-sold-by', { ...age, 'x-sold-by': unusedId() }],
      ['x-sold-by', { ...age, 'x-sold-by': stranger.id }],
      // A key sells nothing at a counter that another one sends.
      ['x-sold-by', { ...age, 'x-sold-by': (await keyOf((await makeShop(running)).shopId)).id }],
      ['x-sale-age', { 'x-sold-by': own.id }],
    ] as const) {
      for (const refused of [
        await partner.post(POS, body, headers),
        await partner.call('PATCH', `${ORDERS}/${_id}/payment`, { paidAmount: 1_000 }, headers),
      ]) {
        expect([headers, refused.status, refused.body.validation?.headers?.keys]).toEqual([
          headers,
          400,
          [header],
        ])
      }
    }
    expect((await partner.get(ORDERS)).body.data.meta.total).toBe(1)
    expect((await partner.get(`${ORDERS}/${_id}`)).body.data.paidAmount).toBe(0)
  })

  it('a change by any writer is recorded, and cannot be altered afterwards', async () => {
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
    const file = fileURLToPath(new URL('../../../migrations/0013_order_events.sql', import.meta.url))
    const backfill = readFileSync(file, 'utf8').match(/^insert into order_events[\s\S]*?;$/gm)!
    expect(backfill).toHaveLength(2)
    await sql`alter table order_events disable trigger order_events_append_only`.execute(db)
    await sql`delete from order_events where shop_id = ${partner.shopId}`.execute(db)
    await sql`alter table order_events enable trigger order_events_append_only`.execute(db)
    // Of this shop only: other tests' shops have payments that it never knew, such as those of opening debts.
    const ofShop = `where shop_id = '${partner.shopId}'\norder by`
    for (const statement of backfill) await sql.raw(statement.replace('order by', ofShop)).execute(db)
    expect((await partner.get(`${ORDERS}/${order._id}/timeline`)).body.data).toMatchObject([
      { type: 'created', at: order.createdAt, status: null },
      { type: 'payment', amount: 100_000 },
    ])
  })
})
