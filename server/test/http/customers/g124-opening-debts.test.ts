import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checkInvariants } from '../../support/invariants.ts'
import { stockedSku } from '../../support/inventory.ts'
import { placeOrder } from '../../support/order-changes.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'

const running = await service()
const { db } = running.database
const CUSTOMERS = '/api/external/v1/customers'

const debtOf = async (shop: Partner, id: string) => (await shop.get(`${CUSTOMERS}/${id}/debt`)).body.data
const pay = (shop: Partner, id: string, amount: number, headers = {}) =>
  shop.post(`${CUSTOMERS}/${id}/payments`, { amount, paymentMethod: 'cash' }, headers)
async function debtor(shop: Partner, openingDebt: number) {
  const { status, body } = await shop.post(CUSTOMERS, { fullName: 'Trần Bưởi', openingDebt })
  expect(status).toBe(201)
  return body.data._id as string
}
async function entriesOf(shop: Partner) {
  const { rows } = await sql<{ version: number; amount: number }>`
    select version, amount from opening_debt_entries where shop_id = ${shop.shopId} order by customer_id, version`.execute(
    db,
  )
  return rows.map(({ version, amount }) => [version, amount])
}

describe('G-124 what a customer owed before the first order', () => {
  it('200 is part of the debt, in the list also right after a change; the record itself does not show it', async () => {
    const shop = await makeShop(running)
    const id = await debtor(shop, 5_000_000)
    const opening = { amount: 5_000_000, paidAmount: 0, left: 5_000_000 }
    expect(await debtOf(shop, id)).toEqual({ debt: 5_000_000, opening, orders: 0, oldest: [] })
    const listed = async () => (await shop.get(`${CUSTOMERS}?select=debt`)).body.data.customers
    expect(await listed()).toMatchObject([{ id, debt: 5_000_000 }])
    expect((await shop.patch(`${CUSTOMERS}/${id}`, { openingDebt: 700_000 })).status).toBe(200)
    expect(await listed()).toMatchObject([{ id, debt: 700_000 }])
    expect((await shop.get(`${CUSTOMERS}/${id}`)).body.data).not.toHaveProperty('openingDebt')
    expect(await entriesOf(shop)).toEqual([
      [0, 5_000_000],
      [1, 700_000],
    ])
  })

  it('201 a payment pays it before the orders, into the open shift; the rest goes to the oldest order', async () => {
    const shop = await makeShop(running)
    const id = await debtor(shop, 300_000)
    const order = await placeOrder(shop, await stockedSku(shop, 10), 1, { userId: id })
    const shift = (await shop.post('/api/external/v1/shifts', { openingCash: 0 })).body.data
    const first = await pay(shop, id, 200_000)
    expect(first).toMatchObject({
      status: 201,
      body: { data: { amount: 200_000, opening: 200_000, payments: [] } },
    })
    const second = (await pay(shop, id, 150_000)).body.data
    expect(second).toMatchObject({ opening: 100_000, payments: [{ orderId: order._id, amount: 50_000 }] })
    expect(await debtOf(shop, id)).toMatchObject({
      debt: 50_000,
      opening: { amount: 300_000, paidAmount: 300_000, left: 0 },
      orders: 1,
    })
    const { methods } = (await shop.get(`/api/external/v1/shifts/${shift._id}`)).body.data
    expect(methods).toMatchObject([{ method: 'cash', taken: 350_000 }])
    const refused = await pay(shop, id, 50_001)
    expect([refused.status, refused.body.code]).toEqual([400, 'PAYMENT_ABOVE_DEBT'])
    expect(refused.body.message).toContain('50')
    await checkInvariants(db, shop.shopId)
  })

  it('the same Idempotency-Key pays it once', async () => {
    const shop = await makeShop(running)
    const id = await debtor(shop, 300_000)
    const key = { 'idempotency-key': unusedId() }
    const answers = [await pay(shop, id, 100_000, key), await pay(shop, id, 100_000, key)]
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[1]!.body).toEqual(answers[0]!.body)
    expect((await debtOf(shop, id)).debt).toBe(200_000)
  })

  it('payments at the same moment never pay more than it', async () => {
    const shop = await makeShop(running)
    const id = await debtor(shop, 300_000)
    const answers = await Promise.all(Array.from({ length: 6 }, () => pay(shop, id, 100_000)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 400, 400, 400])
    expect(await debtOf(shop, id)).toMatchObject({ debt: 0, opening: { paidAmount: 300_000, left: 0 } })
    await checkInvariants(db, shop.shopId)
  })

  it('409 for less than was paid of it, and nothing else of the customer is changed then', async () => {
    const shop = await makeShop(running)
    const id = await debtor(shop, 300_000)
    await pay(shop, id, 100_000)
    const refused = await shop.patch(`${CUSTOMERS}/${id}`, { fullName: 'Lê Cam', openingDebt: 99_999 })
    expect([refused.status, refused.body.code]).toEqual([409, 'OPENING_DEBT_PAID'])
    expect((await shop.get(`${CUSTOMERS}/${id}`)).body.data.fullName).toBe('Trần Bưởi')
    expect((await shop.patch(`${CUSTOMERS}/${id}`, { openingDebt: 100_000 })).status).toBe(200)
    expect((await debtOf(shop, id)).debt).toBe(0)
  })

  it.each([-1, 1.5, '5000', 9_000_000_000_001])('400 for %j', async (openingDebt) => {
    const shop = await makeShop(running)
    const { status, body } = await shop.post(CUSTOMERS, { fullName: 'x', openingDebt })
    expect([status, body.validation.body.keys]).toEqual([400, ['openingDebt']])
    expect((await shop.get(CUSTOMERS)).body.data.meta.total).toBe(0)
  })

  it('0 records nothing; the debt counts for audiences of those who owe', async () => {
    const shop = await makeShop(running)
    await debtor(shop, 0)
    expect(await entriesOf(shop)).toEqual([])
    await shop.post(CUSTOMERS, { fullName: 'Lê Cam', phone: '0912000901', openingDebt: 90_000 })
    const count = async (atLeast: number) =>
      (await shop.post('/api/external/v1/audiences/count', { conditions: [{ kind: 'debt', atLeast }] })).body
        .data
    expect(await count(90_000)).toMatchObject({ customers: 1 })
    expect(await count(90_001)).toMatchObject({ customers: 0 })
  })
})
