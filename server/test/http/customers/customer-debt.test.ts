import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checkInvariants } from '../../support/invariants.ts'
import { stockedSku } from '../../support/inventory.ts'
import { moveOrder, ORDERS, payOrder, placeOrder } from '../../support/order-changes.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'
import { eventsOf, listen } from '../../support/webhooks.ts'

const running = await service()
const { db } = running.database
const CUSTOMERS = '/api/external/v1/customers'

/** A customer of a new shop with orders of 100,000 đồng each, of which these amounts are paid. */
async function debtor(paid: number[]) {
  const shop = await makeShop(running)
  const customer = (await shop.post(CUSTOMERS, { fullName: 'Trần Bưởi', phone: '0912345678' })).body.data
  const skuId = await stockedSku(shop, 100)
  const orders: { _id: string; code: string }[] = []
  for (const paidAmount of paid)
    orders.push(await placeOrder(shop, skuId, 1, { userId: customer._id, paidAmount }))
  return { shop, id: customer._id as string, customer, orders }
}
const pay = (shop: Partner, id: string, amount: number, headers = {}) =>
  shop.post(`${CUSTOMERS}/${id}/payments`, { amount, paymentMethod: 'cash', note: 'trả nợ' }, headers)
const debtOf = async (shop: Partner, id: string) => (await shop.get(`${CUSTOMERS}/${id}/debt`)).body.data
const leftOf = ({ oldest }: { oldest: { code: string; left: number }[] }) =>
  oldest.map(({ code, left }) => [code, left])

describe('G-46 what a customer owes', () => {
  it('200 with the orders that are neither cancelled nor paid, the oldest first; 0 without any', async () => {
    const { shop, id, orders } = await debtor([0, 100_000, 40_000, 0])
    await moveOrder(shop, orders[3]!._id, 'cancelled')
    const debt = await debtOf(shop, id)
    expect(debt).toMatchObject({ debt: 160_000, orders: 2 })
    expect(leftOf(debt)).toEqual([
      [orders[0]!.code, 100_000],
      [orders[2]!.code, 60_000],
    ])
    const other = (await shop.post(CUSTOMERS, { fullName: 'Lê Cam' })).body.data
    expect(await debtOf(shop, other._id)).toEqual({ debt: 0, opening: null, orders: 0, oldest: [] })
    expect((await shop.get(`${CUSTOMERS}/${unusedId()}/debt`)).status).toBe(404)
  })

  it('200 in the list with select=debt, also right after a payment; 400 for another word', async () => {
    const { shop, id, orders } = await debtor([0, 100_000, 40_000])
    await shop.post(CUSTOMERS, { fullName: 'Lê Cam' })
    const debts = async () =>
      (await shop.get(`${CUSTOMERS}?select=debt`)).body.data.customers.map(
        ({ fullName, debt }: { fullName: string; debt: number }) => [fullName, debt],
      )
    expect(await debts()).toEqual([
      ['Lê Cam', 0],
      ['Trần Bưởi', 160_000],
    ])
    await payOrder(shop, orders[0]!._id, 100_000)
    expect(await debts()).toContainEqual(['Trần Bưởi', 60_000])
    const found = await shop.get(`${CUSTOMERS}?search=buoi&select=debt&total=capped`)
    expect(found.body.data.customers).toMatchObject([{ id, debt: 60_000 }])
    expect((await shop.get(CUSTOMERS)).body.data.customers[0]).not.toHaveProperty('debt')
    expect((await shop.get(`${CUSTOMERS}?select=paid`)).body.validation.query.keys).toEqual(['select'])
  })

  it('200 reads the customer with its version; 404 for another shop’s', async () => {
    const { shop, id, customer } = await debtor([])
    const { body, headers } = await shop.get(`${CUSTOMERS}/${id}`)
    expect(body).toEqual({ success: true, data: customer })
    expect(headers.etag).toMatch(/^"0\./)
    expect((await (await makeShop(running)).get(`${CUSTOMERS}/${id}`)).status).toBe(404)
  })

  it('201 pays the oldest orders first, with a payment record on each and an event for each that is paid now', async () => {
    const { shop, id, orders } = await debtor([30_000, 0, 0])
    await listen(running, shop.shopId, ['order.paid'])
    const answer = await pay(shop, id, 200_000)
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({
      amount: 200_000,
      paymentMethod: 'cash',
      note: 'trả nợ',
      payments: [
        { orderId: orders[0]!._id, code: orders[0]!.code, amount: 70_000 },
        { orderId: orders[1]!._id, code: orders[1]!.code, amount: 100_000 },
        { orderId: orders[2]!._id, code: orders[2]!.code, amount: 30_000 },
      ],
    })
    expect(leftOf(await debtOf(shop, id))).toEqual([[orders[2]!.code, 70_000]])
    const first = (await shop.get(`${ORDERS}/${orders[0]!._id}`)).body.data
    expect(first).toMatchObject({ isPaid: true, paidAmount: 100_000, paymentMethod: '' })
    expect(first.gatewayPayments).toMatchObject([
      { amount: 30_000 },
      { amount: 70_000, method: 'cash', note: 'trả nợ' },
    ])
    const told = await eventsOf(running, shop.shopId)
    expect(told.map(({ data }) => data.orderId).toSorted()).toEqual(
      [orders[0]!._id, orders[1]!._id].toSorted(),
    )
    await checkInvariants(db, shop.shopId)
  })

  it('201 once for a repeated Idempotency-Key', async () => {
    const { shop, id } = await debtor([0, 0])
    const key = { 'idempotency-key': 'debt-1' }
    const first = await pay(shop, id, 120_000, key)
    expect((await pay(shop, id, 120_000, key)).body).toEqual(first.body)
    expect((await debtOf(shop, id)).debt).toBe(80_000)
  })

  it('400 PAYMENT_ABOVE_DEBT for more than is owed, and nothing is recorded; 400 for 0; 404 for another shop’s', async () => {
    const { shop, id, orders } = await debtor([0, 0])
    const refused = await pay(shop, id, 200_001)
    expect([refused.status, refused.body.code]).toEqual([400, 'PAYMENT_ABOVE_DEBT'])
    expect((await pay(shop, id, 0)).status).toBe(400)
    expect((await pay(await makeShop(running), id, 1)).status).toBe(404)
    expect((await debtOf(shop, id)).debt).toBe(200_000)
    expect((await shop.get(`${ORDERS}/${orders[0]!._id}`)).body.data.gatewayPayments).toEqual([])
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from debt_payments where shop_id = ${shop.shopId}`.execute(db)
    expect(rows[0]!.n).toBe(0)
  })

  it('payments of the debt and of its orders at once never pay more than is owed, and each record adds up', async () => {
    const { shop, id, orders } = await debtor(Array.from({ length: 6 }, () => 0))
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => pay(shop, id, 90_000)),
      ...orders.slice(0, 3).map(({ _id }) => payOrder(shop, _id, 100_000)),
      shop.patch(`${CUSTOMERS}/${id}`, { fullName: 'Trần Thị Bưởi' }),
    ])
    expect(answers.map(({ status }) => status).filter((status) => ![200, 201, 400].includes(status))).toEqual(
      [],
    )
    const { debt } = await debtOf(shop, id)
    const { rows } = await sql<{ paid: number; above: number; unequal: number }>`
      select sum(o.paid_amount)::bigint as paid, count(*) filter (where o.paid_amount > o.price) as above, (
          select count(*)
          from debt_payments d
          where d.shop_id = ${shop.shopId} and d.amount <> (
            select sum(g.amount)
            from gateway_payments g
            where g.shop_id = d.shop_id and g.debt_payment_id = d.id
          )
        ) as unequal
      from orders o
      where o.shop_id = ${shop.shopId}`.execute(db)
    expect(rows[0]).toEqual({ paid: 600_000 - debt, above: 0, unequal: 0 })
    await checkInvariants(db, shop.shopId)
  })
})
