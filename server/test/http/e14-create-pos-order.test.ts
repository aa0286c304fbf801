import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeShop, type Partner, service, unusedId } from '../support/service.ts'
import { addStock, addWarehouse, defaultWarehouse, makeProduct, reservedOf } from './order-fixtures.ts'

const running = await service()
const { db } = running.deps
const path = '/api/external/order/pos/create'

async function shopWithSku(settings: { oversell?: 'allow' | 'deny'; stock?: number; price?: number } = {}) {
  const { oversell = 'allow', stock = 100, price = 100_000 } = settings
  const partner = await makeShop(running, { oversell })
  const { productId, skuIds } = await makeProduct(running, partner, { skus: [{ stock, price }] })
  return { partner, productId, skuId: skuIds[0]! }
}

async function countOrders(partner: Partner): Promise<number> {
  return (await partner.get('/api/external/v1/orders')).body.data.meta.total
}

/** What a broken rule must leave behind: nothing. */
async function expectNothingWritten(partner: Partner, skuId: string) {
  expect(await countOrders(partner)).toBe(0)
  expect(Object.values(await reservedOf(db, partner.shopId, skuId))).toEqual([0])
}

describe('E14 create POS order', () => {
  it('200 with the whole order, the same that E13 then shows', async () => {
    const { partner, productId, skuId } = await shopWithSku()
    const customer = await partner.post('/api/external/v1/customers', {
      fullName: 'Đỗ Thị Hoa',
      phone: '0912345678',
    })
    const answer = await partner.post(path, {
      userId: customer.body.data._id,
      orderItems: [
        { id: skuId, quantity: 2, discount: 20_000 },
        { id: skuId, quantity: 1, price: 55_000, vat: 10, name: 'Gói quà' },
      ],
      discount: 10_000,
      shippingFee: 15_000,
      paymentMethod: 'cash',
      note: 'giao buổi sáng',
      total: 240_000,
      isPaid: true,
      shopId: 'whatever',
    })
    expect(answer.status).toBe(200)
    expect(typeof answer.body.message).toBe('string')
    const order = answer.body.data
    const sku = {
      _id: skuId,
      id: skuId,
      name: 'Áo thun',
      price: 100_000,
      originPrice: null,
      images: [],
      itemId: productId,
      sku: '',
      barcode: '',
      variantOptionIDs: [],
      variantOptions: [],
      item: { _id: productId, id: productId, name: 'Áo thun', images: ['https://x.example/p.png'] },
    }
    const line = { orderId: order._id, skuId, listSubItem: [], status: 'pending', sku }
    expect(order).toMatchObject({
      code: 'DH1',
      shopId: partner.shopId,
      status: 'pending',
      platform: 'mini_pos',
      invoiceStatus: 'draft',
      paymentStatus: 'paid',
      paymentMethod: 'cash',
      isPaid: true,
      paidAmount: 240_000,
      price: 240_000,
      originPrice: 255_000,
      discount: 10_000,
      shippingFee: 15_000,
      untaxedPrice: 159_574 + 47_873,
      note: 'giao buổi sáng',
      search: 'dh1 do thi hoa 84912345678 0912345678',
      userId: customer.body.data._id,
      user: { fullName: 'Đỗ Thị Hoa', phone: '84912345678', email: '', avatar: '' },
      shippingMethod: '',
      addressId: null,
      shopAddressId: null,
      table: null,
      sOrderId: '',
      orderItems: [
        { ...line, quantity: 2, price: 100_000, discount: 20_000, vat: 8, name: 'Áo thun' },
        { ...line, quantity: 1, price: 55_000, discount: 0, vat: 10, name: 'Gói quà' },
      ],
      gatewayPayments: [{ orderId: order._id, amount: 240_000, method: 'cash', note: '' }],
    })
    expect(order.id).toBe(order._id)
    const detail = await partner.get(`/api/external/v1/orders/${order._id}`)
    expect(detail.body).toEqual({ success: true, data: order })
  })

  it('200 for the least body: a walk-in who has not paid', async () => {
    const { partner, skuId } = await shopWithSku()
    const { body } = await partner.post(path, { orderItems: [{ id: skuId.toUpperCase(), quantity: 1 }] })
    expect(body.data).toMatchObject({
      userId: null,
      user: null,
      price: 100_000,
      untaxedPrice: 92_593,
      paymentStatus: 'not_paid',
      isPaid: false,
      paidAmount: 0,
      paymentMethod: '',
      note: '',
      search: 'dh1',
      gatewayPayments: [],
    })
  })

  it('400 on a body of the wrong shape, and nothing is written', async () => {
    const { partner, skuId } = await shopWithSku()
    const line = { id: skuId, quantity: 1 }
    const wrong: [unknown, string][] = [
      [{}, '"orderItems" is required'],
      [{ orderItems: [] }, '"orderItems" must contain at least 1 items'],
      [{ orderItems: [{ quantity: 1 }] }, '"orderItems[0].id" is required'],
      [{ orderItems: [{ id: skuId }] }, '"orderItems[0].quantity" is required'],
      [{ orderItems: [{ ...line, quantity: 0 }] }, '"orderItems[0].quantity" must be'],
      [{ orderItems: [{ ...line, quantity: 1.5 }] }, '"orderItems[0].quantity" must be an integer'],
      [{ orderItems: [{ ...line, quantity: 1_000_001 }] }, '"orderItems[0].quantity" must be'],
      [{ orderItems: [{ ...line, quantity: 1e20 }] }, '"orderItems[0].quantity" must be a safe number'],
      [{ orderItems: [{ ...line, quantity: '1' }] }, '"orderItems[0].quantity" must be a number'],
      [{ orderItems: [{ ...line, price: -1 }] }, '"orderItems[0].price" must be'],
      [{ orderItems: [{ ...line, discount: -1 }] }, '"orderItems[0].discount" must be'],
      [{ orderItems: [{ ...line, vat: 101 }] }, '"orderItems[0].vat" must be'],
      [{ orderItems: [{ ...line, price: null }] }, '"orderItems[0].price" must be a number'],
      [{ orderItems: [{ ...line, colour: 'red' }] }, '"orderItems[0].colour" is not allowed'],
      [{ orderItems: [line], discount: -1 }, '"discount" must be'],
      [{ orderItems: [line], shippingFee: 0.5 }, '"shippingFee" must be an integer'],
      [{ orderItems: [line], paidAmount: 9_000_000_000_001 }, '"paidAmount" must be'],
      [{ orderItems: [line], isPaid: 'yes' }, '"isPaid" must be a boolean'],
      [{ orderItems: [line], status: 'completed' }, '"status" is not allowed'],
      [{ orderItems: [line], userId: null }, '"userId" must be a string'],
    ]
    for (const [body, message] of wrong) {
      const answer = await partner.post(path, body)
      expect(answer.status, message).toBe(400)
      expect(answer.body.validation.body.message).toContain(message)
    }
    await expectNothingWritten(partner, skuId)
  })
})

describe('G-41 what an order names', () => {
  it("takes a product's id when the product has exactly one active SKU", async () => {
    const partner = await makeShop(running)
    const one = await makeProduct(running, partner, { skus: [{}, { isActive: false }] })
    const answer = await partner.post(path, { orderItems: [{ id: one.productId, quantity: 1 }] })
    expect(answer.body.data.orderItems[0].skuId).toBe(one.skuIds[0])
  })

  it('400 naming the line for an id that names no SKU, or several, or a retired or foreign one', async () => {
    const { partner, skuId } = await shopWithSku()
    const other = await shopWithSku()
    const two = await makeProduct(running, partner, { skus: [{}, { name: 'M' }] })
    const retired = await makeProduct(running, partner, { skus: [{ isActive: false }] })
    const wrong = [
      unusedId(),
      'x',
      two.productId,
      retired.skuIds[0],
      retired.productId,
      other.skuId,
      other.productId,
    ]
    for (const id of wrong) {
      const orderItems = [
        { id: skuId, quantity: 1 },
        { id, quantity: 1 },
      ]
      const answer = await partner.post(path, { orderItems })
      expect(answer.status).toBe(400)
      expect(answer.body.validation.body.keys).toEqual(['orderItems.1.id'])
    }
    await expectNothingWritten(partner, skuId)
    await expectNothingWritten(other.partner, other.skuId)
  })

  it('400 for a userId that names no customer of the shop', async () => {
    const { partner, skuId } = await shopWithSku()
    const other = await makeShop(running)
    const foreign = await other.post('/api/external/v1/customers', { fullName: 'A' })
    for (const userId of [unusedId(), 'x', foreign.body.data._id]) {
      const answer = await partner.post(path, { userId, orderItems: [{ id: skuId, quantity: 1 }] })
      expect(answer.status).toBe(400)
      expect(answer.body.validation.body.keys).toEqual(['userId'])
    }
    await expectNothingWritten(partner, skuId)
  })

  it('names a line after the product and its SKU when it has no name', async () => {
    const partner = await makeShop(running)
    const { skuIds } = await makeProduct(running, partner, { skus: [{ name: 'Đỏ / M' }, { name: 'Xanh' }] })
    const orderItems = [
      { id: skuIds[0], quantity: 1 },
      { id: skuIds[1], quantity: 1, name: '' },
    ]
    const { body } = await partner.post(path, { orderItems })
    const names = body.data.orderItems.map((item: { name: string }) => item.name)
    expect(names).toEqual(['Áo thun - Đỏ / M', 'Áo thun - Xanh'])
  })
})

describe('G-42 amounts', () => {
  it('400 TOTAL_MISMATCH with both amounts', async () => {
    const { partner, skuId } = await shopWithSku()
    const answer = await partner.post(path, { orderItems: [{ id: skuId, quantity: 1 }], total: 99_999 })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ statusCode: 400, code: 'TOTAL_MISMATCH' })
    expect(answer.body.message).toMatch(/99999.*100000/)
    await expectNothingWritten(partner, skuId)
  })

  it('400 AMOUNT_TOO_LARGE beyond the safe integers', async () => {
    const { partner, skuId } = await shopWithSku()
    const orderItems = [{ id: skuId, quantity: 1_000_000, price: 9_000_000_000_000 }]
    const answer = await partner.post(path, { orderItems })
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('AMOUNT_TOO_LARGE')
  })

  it('keeps an amount beyond 32 bits', async () => {
    const { partner, skuId } = await shopWithSku()
    const orderItems = [{ id: skuId, quantity: 1000, price: 9_000_000_000, vat: 0 }]
    const { body } = await partner.post(path, { orderItems, total: 9_000_000_000_000 })
    expect(body.data).toMatchObject({ price: 9_000_000_000_000, untaxedPrice: 9_000_000_000_000 })
  })

  it('tells by paidAmount and isPaid what is paid', async () => {
    const { partner, skuId } = await shopWithSku()
    const cases: [object, object][] = [
      [{ isPaid: true }, { isPaid: true, paidAmount: 100_000, paymentStatus: 'paid' }],
      [{ paidAmount: 100_000 }, { isPaid: true, paidAmount: 100_000, paymentStatus: 'paid' }],
      [{ paidAmount: 1 }, { isPaid: false, paidAmount: 1, paymentStatus: 'partially_paid' }],
      [
        { paidAmount: 0, isPaid: false },
        { isPaid: false, paidAmount: 0, paymentStatus: 'not_paid' },
      ],
      [
        { paidAmount: 1, isPaid: true },
        { isPaid: true, paidAmount: 1, paymentStatus: 'paid' },
      ],
      [{ discount: 100_000 }, { isPaid: false, paidAmount: 0, price: 0, paymentStatus: 'not_paid' }],
    ]
    for (const [extra, expected] of cases) {
      const { body } = await partner.post(path, { orderItems: [{ id: skuId, quantity: 1 }], ...extra })
      expect(body.data).toMatchObject(expected)
      expect(body.data.gatewayPayments).toHaveLength(body.data.paidAmount > 0 ? 1 : 0)
    }
  })
})

describe('G-43 stock at creation', () => {
  it('reserves the lines of one SKU together, default warehouse first, then by id', async () => {
    const { partner, skuId, productId } = await shopWithSku({ stock: 3, oversell: 'deny' })
    const main = await defaultWarehouse(db, partner.shopId)
    const [first, second] = ['0'.repeat(24), 'f'.repeat(24)]
    for (const [id, n] of [
      [second, 9],
      [first, 4],
    ] as const) {
      await addWarehouse(db, partner.shopId, id)
      await addStock(db, partner.shopId, skuId, id, n)
    }
    const line = { id: skuId, quantity: 4 }
    const { body } = await partner.post(path, { orderItems: [line, line] })
    expect(await reservedOf(db, partner.shopId, skuId)).toEqual({ [main]: 3, [first]: 4, [second]: 1 })
    const { rows } = await sql<{ warehouse_id: string; quantity: number; reserved_quantity: number }>`
      select r.warehouse_id, r.quantity, p.reserved_quantity
      from order_reservations r, products p
      where r.shop_id = ${partner.shopId} and r.order_id = ${body.data._id} and p.id = ${productId}
      order by r.quantity`.execute(db)
    expect(rows).toEqual([
      { warehouse_id: second, quantity: 1, reserved_quantity: 8 },
      { warehouse_id: main, quantity: 3, reserved_quantity: 8 },
      { warehouse_id: first, quantity: 4, reserved_quantity: 8 },
    ])
  })

  it('allow: an oversale goes to the default warehouse', async () => {
    const { partner, skuId } = await shopWithSku({ stock: 3 })
    const main = await defaultWarehouse(db, partner.shopId)
    const other = '0'.repeat(24)
    await addWarehouse(db, partner.shopId, other)
    await addStock(db, partner.shopId, skuId, other, 2)
    expect((await partner.post(path, { orderItems: [{ id: skuId, quantity: 9 }] })).status).toBe(200)
    expect((await partner.post(path, { orderItems: [{ id: skuId, quantity: 1 }] })).status).toBe(200)
    expect(await reservedOf(db, partner.shopId, skuId)).toEqual({ [main]: 8, [other]: 2 })
  })

  it('deny: 400 OUT_OF_STOCK names every short SKU, and nothing is written', async () => {
    const partner = await makeShop(running, { oversell: 'deny' })
    const skus = [
      { name: 'S', stock: 5 },
      { name: 'M', stock: 1 },
      { name: 'L', stock: 0 },
    ]
    const { skuIds } = await makeProduct(running, partner, { skus })
    const orderItems = [
      { id: skuIds[0], quantity: 3 },
      { id: skuIds[1], quantity: 1 },
      { id: skuIds[1], quantity: 1 },
      { id: skuIds[2], quantity: 7 },
    ]
    const answer = await partner.post(path, { orderItems })
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('OUT_OF_STOCK')
    expect(answer.body.message).toContain('Áo thun - M: 2 / 1')
    expect(answer.body.message).toContain('Áo thun - L: 7 / 0')
    expect(answer.body.message).not.toContain('Áo thun - S')
    for (const skuId of skuIds) await expectNothingWritten(partner, skuId)
    expect((await partner.post(path, { orderItems: [{ id: skuIds[0], quantity: 5 }] })).body.data.code).toBe(
      'DH1',
    )
  })

  it('deny: of 60 orders at once for 20 pieces exactly 20 succeed', async () => {
    const { partner, productId, skuId } = await shopWithSku({ stock: 20, oversell: 'deny' })
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => partner.post(path, { orderItems: [{ id: skuId, quantity: 1 }] })),
    )
    const placed = answers.filter((answer) => answer.status === 200)
    expect(placed).toHaveLength(20)
    expect(answers.filter((answer) => answer.body.code === 'OUT_OF_STOCK')).toHaveLength(40)
    expect(new Set(placed.map((answer) => answer.body.data.code)).size).toBe(20)
    expect(Object.values(await reservedOf(db, partner.shopId, skuId))).toEqual([20])
    const { rows } = await sql<{ reserved_quantity: number; stock_quantity: number; promised: number }>`
      select reserved_quantity, stock_quantity,
        (select sum(quantity)::bigint from order_reservations r where r.shop_id = p.shop_id) as promised
      from products p
      where shop_id = ${partner.shopId} and id = ${productId}`.execute(db)
    expect(rows).toEqual([{ reserved_quantity: 20, stock_quantity: 0, promised: 20 }])
    expect(await countOrders(partner)).toBe(20)
  })

  it('many orders at once over the same SKUs and products in opposite order: no deadlock, all counted', async () => {
    const partner = await makeShop(running)
    const first = await makeProduct(running, partner, { skus: [{ name: 'S' }, { name: 'M' }] })
    const second = await makeProduct(running, partner, { skus: [{ name: 'S' }, { name: 'M' }] })
    const ways = [
      [first.skuIds[0], second.skuIds[0]],
      [second.skuIds[0], first.skuIds[0]],
      [first.skuIds[1], second.skuIds[1]],
      [second.skuIds[1], first.skuIds[1]],
      [second.skuIds[1], first.skuIds[0]],
    ]
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, n) =>
        partner.post(path, { orderItems: ways[n % ways.length]!.map((id) => ({ id, quantity: 1 })) }),
      ),
    )
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200))
    const reserved = await Promise.all(
      [...first.skuIds, ...second.skuIds].map(
        async (id) => Object.values(await reservedOf(db, partner.shopId, id))[0],
      ),
    )
    expect(reserved).toEqual([48, 32, 32, 48])
    const { rows } = await sql<{ reserved_quantity: number }>`
      select reserved_quantity from products where shop_id = ${partner.shopId}`.execute(db)
    expect(rows).toEqual([{ reserved_quantity: 80 }, { reserved_quantity: 80 }])
    expect(new Set(answers.map((answer) => answer.body.data.code)).size).toBe(80)
  })
})

describe('G-45 code, methods, preview', () => {
  it('numbers the orders of each shop by itself', async () => {
    const one = await shopWithSku()
    const two = await shopWithSku()
    const place = async ({ partner, skuId }: typeof one) =>
      (await partner.post(path, { orderItems: [{ id: skuId, quantity: 1 }] })).body.data.code
    expect([await place(one), await place(one), await place(two)]).toEqual(['DH1', 'DH2', 'DH1'])
  })

  it('takes any word as payment method, 400 for anything else', async () => {
    const { partner, skuId } = await shopWithSku()
    const place = (paymentMethod: unknown) =>
      partner.post(path, { orderItems: [{ id: skuId, quantity: 1 }], paymentMethod })
    for (const method of ['', 'COD', 'bank_transfer-2', 'chuyển_khoản', 'x'.repeat(50)]) {
      expect((await place(method)).body.data.paymentMethod).toBe(method)
    }
    for (const method of ['two words', 'a<b', 'x'.repeat(51), null, 5]) {
      const answer = await place(method)
      expect(answer.status).toBe(400)
      expect(answer.body.validation.body.keys).toEqual(['paymentMethod'])
    }
  })

  it('200 preview computes what creation would, and saves nothing', async () => {
    const { partner, skuId } = await shopWithSku({ oversell: 'deny', stock: 1 })
    const preview = '/api/external/order/pos/preview'
    const orderItems = [
      { id: skuId, quantity: 2, discount: 20_000 },
      { id: skuId, quantity: 1, price: 55_000, vat: 10 },
    ]
    const answer = await partner.post(preview, { orderItems, discount: 10_000, shippingFee: 15_000 })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual({
      originPrice: 255_000,
      discount: 10_000,
      shippingFee: 15_000,
      price: 240_000,
      untaxedPrice: 207_447,
      paidAmount: 0,
      isPaid: false,
      paymentStatus: 'not_paid',
      orderItems: [
        {
          skuId,
          name: 'Áo thun',
          quantity: 2,
          price: 100_000,
          vat: 8,
          originPrice: 200_000,
          discount: 20_000,
          discountShare: 7_660,
          gross: 172_340,
          net: 159_574,
          tax: 12_766,
        },
        {
          skuId,
          name: 'Áo thun',
          quantity: 1,
          price: 55_000,
          vat: 10,
          originPrice: 55_000,
          discount: 0,
          discountShare: 2_340,
          gross: 52_660,
          net: 47_873,
          tax: 4_787,
        },
      ],
      vatRates: [
        { vat: 8, gross: 172_340, net: 159_574, tax: 12_766 },
        { vat: 10, gross: 52_660, net: 47_873, tax: 4_787 },
      ],
    })
    expect((await partner.post(preview, { orderItems, total: 1 })).body.code).toBe('TOTAL_MISMATCH')
    await expectNothingWritten(partner, skuId)
  })
})
