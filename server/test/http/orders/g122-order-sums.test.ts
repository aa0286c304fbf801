import { describe, expect, it } from 'vitest'
import { stockedSku } from '../../support/inventory.ts'
import { moveOrder, ORDERS, placeOrder } from '../../support/order-changes.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'
import { importOrders } from './order-fixtures.ts'

const running = await service()
const SUMS = `${ORDERS}/sums`

const sums = async (partner: Partner, query = '') => (await partner.get(`${SUMS}?${query}`)).body.data

type Listed = { status: string; isPaid: boolean; price: number; paidAmount: number }
/** The same sums, added up from the list. */
async function added(partner: Partner, query = '') {
  const { orders } = (await partner.get(`${ORDERS}?limit=100&${query}`)).body.data as { orders: Listed[] }
  const owed = orders.filter(({ status, isPaid }) => status !== 'cancelled' && !isPaid)
  const total = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0)
  return {
    orders: orders.length,
    isCut: false,
    amount: total(orders.map(({ price }) => price)),
    owed: total(owed.map(({ price, paidAmount }) => Math.max(price - paidAmount, 0))),
  }
}

describe('G-122 GET orders sums', () => {
  it('are those of the listed orders under every filter, in đồng', async () => {
    const partner = await makeShop(running)
    const made = await partner.post('/api/external/v1/customers', { fullName: 'Lê Thị Sum' })
    const skuId = await stockedSku(partner, 50)
    const of = { userId: made.body.data._id }
    const first = await placeOrder(partner, skuId, 1, { ...of, paymentMethod: 'cash', isPaid: true })
    await placeOrder(partner, skuId, 2, { ...of, paidAmount: 50_000 })
    await placeOrder(partner, skuId, 3, { paymentMethod: 'transfer' })
    const gone = await placeOrder(partner, skuId, 4)
    await moveOrder(partner, gone._id, 'cancelled', { reasonCancel: 'x' })
    await moveOrder(partner, first._id, 'confirmed')
    const whole = await sums(partner)
    expect(whole).toMatchObject({ orders: 4, isCut: false })
    expect(whole.owed).toBeGreaterThan(0)
    expect(whole.amount).toBeGreaterThan(whole.owed)
    for (const query of [
      '',
      'status=cancelled',
      'status=confirmed',
      'cancelled=false',
      'paymentStatus=owed',
      'paymentStatus=owed&status=pending',
      'paymentMethod=transfer',
      `customerId=${of.userId}`,
      'search=sum',
      'startDate=2999-01-01',
      `search=${encodeURIComponent(first.code)}`,
      `ids=${first._id},${gone._id}`,
    ])
      expect(await sums(partner, query), query).toEqual(await added(partner, query))
  })

  it('are zero where nothing matches, and for another shop', async () => {
    const partner = await makeShop(running)
    const none = { orders: 0, isCut: false, amount: 0, owed: 0 }
    expect(await sums(partner)).toEqual(none)
    await placeOrder(partner, await stockedSku(partner, 5))
    expect(await sums(await makeShop(running))).toEqual(none)
    expect(await sums(partner, `customerId=${unusedId()}`)).toEqual(none)
  })

  it('are left out if more than 10,000 orders match', async () => {
    const partner = await makeShop(running)
    await importOrders(running.database.db, partner.shopId, Array(10_001).fill({ price: 1_000 }))
    expect(await sums(partner)).toEqual({ orders: 10_000, isCut: true, amount: null, owed: null })
  })

  it('refuse a wrong filter as the list does', async () => {
    const partner = await makeShop(running)
    expect((await partner.get(`${SUMS}?cancelled=maybe`)).status).toBe(400)
    expect((await partner.get(`${SUMS}?startDate=yesterday`)).status).toBe(
      (await partner.get(`${ORDERS}?startDate=yesterday`)).status,
    )
  })
})
