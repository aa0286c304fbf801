import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { POS, stockedSku } from '../../support/inventory.ts'
import { moveOrder, ORDERS, payOrder, placeOrder } from '../../support/order-changes.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'
import { importOrders } from './order-fixtures.ts'

const running = await service()
const { db } = running.database
const EXPORT = `${ORDERS}/export`

async function lines(partner: Partner, query = ''): Promise<Record<string, string>[]> {
  const answer = await partner.get(`${EXPORT}?${query}`)
  expect(answer.status).toBe(200)
  return parse(answer.body, { bom: true, columns: true })
}

describe('G-40 GET orders export', () => {
  it('200 with a CSV file named by the day in Vietnam: byte order mark, CRLF, a line an order, newest first', async () => {
    const partner = await makeShop(running)
    const customer = await partner.post('/api/external/v1/customers', {
      fullName: 'Đỗ "Hoa"',
      phone: '0912345678',
    })
    const skuId = await stockedSku(partner, 5)
    const first = await placeOrder(partner, skuId)
    const order = await placeOrder(partner, skuId, 2, {
      userId: customer.body.data._id,
      isPaid: true,
      paymentMethod: 'cash',
      note: 'dòng 1\ndòng 2; a,b',
      discount: 8_000,
      shippingFee: 5_000,
    })
    await moveOrder(partner, first._id, 'cancelled', { reasonCancel: 'x' })
    const answer = await partner.get(EXPORT)
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    const day = new Date(order.createdAt).toLocaleDateString('sv-SE', { timeZone: 'Asia/Ho_Chi_Minh' })
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="orders-${day}.csv"`)
    const text = answer.body as string
    expect(text.startsWith('\ufeff"id","code",')).toBe(true)
    expect(text.split('\r\n')).toHaveLength(4)
    const [newest, oldest] = await lines(partner)
    const { soldBy: seller } = (await partner.get(`${ORDERS}?limit=1&select=soldBy`)).body.data.orders[0]
    expect(newest).toEqual({
      id: order._id,
      code: 'DH2',
      createdAt: order.createdAt,
      updatedAt: order.updatedAt,
      status: 'pending',
      paymentStatus: 'paid',
      paymentMethod: 'cash',
      isPaid: 'true',
      paidAmount: '197000',
      price: '197000',
      originPrice: '200000',
      discount: '8000',
      shippingFee: '5000',
      untaxedPrice: String(order.untaxedPrice),
      platform: 'mini_pos',
      customerId: customer.body.data._id,
      customerName: 'Đỗ "Hoa"',
      customerPhone: '84912345678',
      note: 'dòng 1\ndòng 2; a,b',
      reasonCancel: '',
      items: '2 x Áo thun @ 100000',
      soldById: seller.id,
      soldByName: seller.name,
      returnedAmount: '0',
      lineDiscounts: '0',
      payments: 'cash 197000',
    })
    expect(oldest).toMatchObject({ code: 'DH1', status: 'cancelled', reasonCancel: 'x', customerName: '' })
    expect(oldest).toMatchObject({ lineDiscounts: '0', payments: '' })
  })

  it('an order’s amounts add up: the discounts of its lines and the payments by method, less what was given back', async () => {
    const partner = await makeShop(running)
    const [one, two] = [await stockedSku(partner, 5), await stockedSku(partner, 5)]
    const orderItems = [
      { id: one, quantity: 2, discount: 15_000 },
      { id: two, quantity: 1, discount: 999_999 },
    ]
    const placed = await partner.post(POS, { orderItems, discount: 5_000, shippingFee: 20_000 })
    const id = placed.body.data._id
    const pay = async (paid: number, paymentMethod: string) =>
      expect((await payOrder(partner, id, paid, { paymentMethod })).status).toBe(200)
    await pay(60_000, 'cash')
    await pay(200_000, 'transfer')
    await pay(190_000, 'cash')
    const [line] = await lines(partner)
    expect(line).toMatchObject({
      originPrice: '300000',
      lineDiscounts: '115000',
      discount: '5000',
      shippingFee: '20000',
      price: '200000',
      paidAmount: '190000',
      payments: 'cash 50000; transfer 140000',
    })
    await pay(0, 'card')
    expect((await lines(partner))[0]?.payments).toBe('cash 50000; transfer 140000; card -190000')
  })

  it('a partner’s own payment method is not a formula', async () => {
    const partner = await makeShop(running)
    await placeOrder(partner, await stockedSku(partner, 1), 1, { isPaid: true, paymentMethod: '=cash' })
    expect((await lines(partner))[0]?.payments).toBe("'=cash 100000")
  })

  it('an order whose seller’s account is gone keeps its id, without a name', async () => {
    const partner = await makeShop(running)
    const { _id } = await placeOrder(partner, await stockedSku(partner, 1))
    const gone = unusedId()
    await sql`update orders set sold_by = ${gone} where shop_id = ${partner.shopId} and id = ${_id}`.execute(
      db,
    )
    expect(await lines(partner)).toMatchObject([{ id: _id, soldById: gone, soldByName: '' }])
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1'])(
    'a text %j is not a formula',
    async (text) => {
      const partner = await makeShop(running)
      const customer = await partner.post('/api/external/v1/customers', { fullName: `${text}x` })
      await placeOrder(partner, await stockedSku(partner, 1), 1, {
        note: text,
        userId: customer.body.data._id,
      })
      const [line] = await lines(partner)
      expect(line?.note).toBe(`'${text}`)
      expect(line?.customerName).toBe(`'${customer.body.data.fullName}`)
    },
  )

  it('every order once over many chunks, of equal times too, and only what the filters let', async () => {
    const partner = await makeShop(running)
    const at = (n: number) => new Date(Date.UTC(2026, 0, 1 + (n % 7)))
    const made = await importOrders(
      db,
      partner.shopId,
      Array.from({ length: 1_703 }, (_, n) => ({
        createdAt: at(n),
        status: n % 3 === 0 ? 'shipping' : 'pending',
        platform: n % 2 === 0 ? 'mini_app' : 'mini_pos',
        search: n % 10 === 0 ? 'nguyen lan' : 'tran binh',
        price: 90_000,
        paymentStatus: n % 5 === 0 ? 'not_paid' : 'paid',
      })),
    )
    const { rows } = await sql<{ id: string }>`
      select id from orders where shop_id = ${partner.shopId} order by created_at desc, id desc`.execute(db)
    expect((await lines(partner)).map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
    expect(await lines(partner, 'status=shipping')).toHaveLength(Math.ceil(made.length / 3))
    for (const payment of ['owed', 'not_paid'])
      expect(await lines(partner, `paymentStatus=${payment}`)).toHaveLength(Math.ceil(made.length / 5))
    const narrow = 'platform=mini_app&startDate=2026-01-02&endDate=2026-01-03&search=Lan%20NGUYỄN'
    const listed = (await partner.get(`${ORDERS}?${narrow}`)).body.data.meta.total
    expect(listed).toBeGreaterThan(20)
    expect(await lines(partner, narrow)).toHaveLength(listed)
  })

  it('only the orders of `ids` that exist in the shop; 400 for more than 100 and for a malformed id', async () => {
    const [partner, other] = [await makeShop(running), await makeShop(running)]
    const [one, two, three] = await importOrders(db, partner.shopId, [{}, {}, { status: 'shipping' }])
    const [foreign] = await importOrders(db, other.shopId, [{}])
    const found = await lines(partner, `ids=${one},${three},${foreign}`)
    expect(found.map(({ id }) => id).sort()).toEqual([one, three].sort())
    expect(await lines(partner, `ids=${one},${two},${three}&status=shipping`)).toHaveLength(1)
    expect((await partner.get(`${EXPORT}?ids=x`)).status).toBe(400)
    const many = Array.from({ length: 101 }, (_, n) => n.toString(16).padStart(24, '0'))
    expect((await partner.get(`${EXPORT}?ids=${many}`)).status).toBe(400)
  })

  it('400 for an invalid date, 500 for a malformed id', async () => {
    const partner = await makeShop(running)
    expect((await partner.get(`${EXPORT}?startDate=x`)).status).toBe(400)
    expect((await partner.get(`${EXPORT}?customerId=x`)).status).toBe(500)
  })

  it('a reader that goes away ends the reading', async () => {
    const partner = await makeShop(running)
    await importOrders(
      db,
      partner.shopId,
      Array.from({ length: 3_000 }, () => ({})),
    )
    const { port } = running.app.server.address() as { port: number }
    const answer = await fetch(`http://127.0.0.1:${port}${EXPORT}`, {
      headers: { 'x-api-key': `service-partner ${partner.apiKey}` },
    })
    const reader = answer.body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('createdAt')
    await reader.cancel()
    expect((await partner.get(`${ORDERS}?limit=1`)).body.data.meta.total).toBe(3_000)
  })
})
