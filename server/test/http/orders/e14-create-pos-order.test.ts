import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeShop, separateService, service, unusedId } from '../../support/service.ts'
import { expectNoOrder, makeProduct, shopWithSku } from './order-fixtures.ts'

const running = await service()
const { db } = running.deps
const path = '/api/external/order/pos/create'

describe('E14 create POS order', () => {
  it('is found by its reference in any case, also after its customer was renamed', async () => {
    const { partner, skuId } = await shopWithSku(running)
    const { _id: userId } = (await partner.post('/api/external/v1/customers', { fullName: 'Lan' })).body.data
    const reference = 'T-9AF3C1'
    const orderItems = [{ id: skuId, quantity: 1 }]
    const sent = await partner.post(path, { orderItems, userId, reference })
    await partner.post(path, { orderItems })
    expect(sent.body.data).toMatchObject({ reference, search: 'dh1 lan t-9af3c1' })
    const found = async (search: string) =>
      (await partner.get(`/api/external/v1/orders?search=${search}`)).body.data.orders
    await partner.patch(`/api/external/v1/customers/${userId}`, { fullName: 'Huệ' })
    for (const search of ['t-9af3c1', 'T-9AF3C1%20hue'])
      expect(await found(search)).toMatchObject([{ _id: sent.body.data._id, reference }])
    expect(await found('lan')).toEqual([])
    const [without] = await found('dh2')
    expect('reference' in without).toBe(false)
  })

  it('200 with the whole order, the same that E13 then shows', async () => {
    const { partner, productId, skuId } = await shopWithSku(running)
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
    const { partner, skuId } = await shopWithSku(running)
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
    const { partner, skuId } = await shopWithSku(running)
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
      [{ orderItems: [line], reference: '' }, '"reference" is not allowed to be empty'],
      [{ orderItems: [line], reference: 'hai tu' }, '"reference" with value'],
      [{ orderItems: [line], reference: 'đơn' }, '"reference" with value'],
      [{ orderItems: [line], reference: 'x'.repeat(41) }, '"reference" with value'],
      [{ orderItems: [line], userId: null }, '"userId" must be a string'],
    ]
    for (const [body, message] of wrong) {
      const answer = await partner.post(path, body)
      expect(answer.status, message).toBe(400)
      expect(answer.body.validation.body.message).toContain(message)
    }
    await expectNoOrder(db, partner, skuId)
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
    const { partner, skuId } = await shopWithSku(running)
    const other = await shopWithSku(running)
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
    await expectNoOrder(db, partner, skuId)
    await expectNoOrder(db, other.partner, other.skuId)
  })

  it('400 for a userId that names no customer of the shop', async () => {
    const { partner, skuId } = await shopWithSku(running)
    const other = await makeShop(running)
    const foreign = await other.post('/api/external/v1/customers', { fullName: 'A' })
    for (const userId of [unusedId(), 'x', foreign.body.data._id]) {
      const answer = await partner.post(path, { userId, orderItems: [{ id: skuId, quantity: 1 }] })
      expect(answer.status).toBe(400)
      expect(answer.body.validation.body.keys).toEqual(['userId'])
    }
    await expectNoOrder(db, partner, skuId)
  })

  it('names a line after the product and its SKU when it has no name, or one of which nothing can be seen', async () => {
    const partner = await makeShop(running)
    const { skuIds } = await makeProduct(running, partner, { skus: [{ name: 'Đỏ / M' }, { name: 'Xanh' }] })
    const orderItems = [
      { id: skuIds[0], quantity: 1 },
      { id: skuIds[1], quantity: 1, name: '' },
    ]
    const { body } = await partner.post(path, { orderItems })
    const names = body.data.orderItems.map((item: { name: string }) => item.name)
    expect(names).toEqual(['Áo thun - Đỏ / M', 'Áo thun - Xanh'])
    for (const name of [' ', '\u00a0', '\u200b', '\u3164', '\u2800\u00ad']) {
      const blank = await partner.post(path, { orderItems: [{ id: skuIds[1], quantity: 1, name }] })
      expect(blank.body.data.orderItems[0].name, JSON.stringify(name)).toBe('Áo thun - Xanh')
    }
  })
})

describe('G-42 amounts', () => {
  it('400 TOTAL_MISMATCH with both amounts', async () => {
    const { partner, skuId } = await shopWithSku(running)
    const answer = await partner.post(path, { orderItems: [{ id: skuId, quantity: 1 }], total: 99_999 })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ statusCode: 400, code: 'TOTAL_MISMATCH' })
    expect(answer.body.message).toMatch(/99999.*100000/)
    await expectNoOrder(db, partner, skuId)
  })

  it('400 AMOUNT_TOO_LARGE beyond the safe integers', async () => {
    const { partner, skuId } = await shopWithSku(running)
    const orderItems = [{ id: skuId, quantity: 1_000_000, price: 9_000_000_000_000 }]
    const answer = await partner.post(path, { orderItems })
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('AMOUNT_TOO_LARGE')
  })

  it('400 AMOUNT_TOO_LARGE where the sum of the day’s sales would no longer fit, and no order', async () => {
    const { partner, skuId } = await shopWithSku(running)
    const order = { orderItems: [{ id: skuId, quantity: 1 }] }
    expect((await partner.post(path, order)).status).toBe(200)
    await sql`update shop_days set revenue = 9223372036854775807 where shop_id = ${partner.shopId}`.execute(
      db,
    )
    const answer = await partner.post(path, order)
    expect([answer.status, answer.body.code]).toEqual([400, 'AMOUNT_TOO_LARGE'])
    expect((await partner.get('/api/external/v1/orders')).body.data.meta.total).toBe(1)
  })

  it('keeps an amount beyond 32 bits', async () => {
    const { partner, skuId } = await shopWithSku(running)
    const orderItems = [{ id: skuId, quantity: 1000, price: 9_000_000_000, vat: 0 }]
    const { body } = await partner.post(path, { orderItems, total: 9_000_000_000_000 })
    expect(body.data).toMatchObject({ price: 9_000_000_000_000, untaxedPrice: 9_000_000_000_000 })
  })

  it('takes what is paid from paidAmount and isPaid', async () => {
    const { partner, skuId } = await shopWithSku(running)
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
      [{ discount: 100_000 }, { isPaid: true, paidAmount: 0, price: 0, paymentStatus: 'paid' }],
      [{ paymentMethod: ' cash ' }, { paymentMethod: 'cash' }],
    ]
    for (const [extra, expected] of cases) {
      const { body } = await partner.post(path, { orderItems: [{ id: skuId, quantity: 1 }], ...extra })
      expect(body.data).toMatchObject(expected)
      expect(body.data.gatewayPayments).toHaveLength(body.data.paidAmount > 0 ? 1 : 0)
    }
  })
})

describe('G-45 code, methods, preview', () => {
  it('numbers the orders of each shop by itself', async () => {
    const one = await shopWithSku(running)
    const two = await shopWithSku(running)
    const place = async ({ partner, skuId }: typeof one) =>
      (await partner.post(path, { orderItems: [{ id: skuId, quantity: 1 }] })).body.data.code
    expect([await place(one), await place(one), await place(two)]).toEqual(['DH1', 'DH2', 'DH1'])
  })

  it('takes any word as payment method, 400 for anything else', async () => {
    const { partner, skuId } = await shopWithSku(running)
    const place = (paymentMethod: unknown) =>
      partner.post(path, { orderItems: [{ id: skuId, quantity: 1 }], paymentMethod })
    for (const method of ['', 'COD', 'bank transfer', 'Ví <MoMo>', 'x'.repeat(50)]) {
      expect((await place(method)).body.data.paymentMethod).toBe(method)
    }
    expect((await place(' \u200b')).body.data.paymentMethod).toBe('')
    const listed = await partner.get('/api/external/v1/orders?paymentMethod=bank%20transfer')
    expect(listed.body.data.meta.total).toBe(1)
    for (const method of ['x'.repeat(51), null, 5]) {
      const answer = await place(method)
      expect(answer.status).toBe(400)
      expect(answer.body.validation.body.keys).toEqual(['paymentMethod'])
    }
  })

  it('200 preview computes what creation would, and saves nothing', async () => {
    const { partner, skuId } = await shopWithSku(running, { oversell: 'deny', stock: 1 })
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
    await expectNoOrder(db, partner, skuId)
  })
})

describe('E14 an order that can never be written', () => {
  it('503 with Retry-After after a few tries, instead of trying forever', async () => {
    const own = await separateService()
    const shop = await makeShop(own)
    const { skuIds } = await makeProduct(own, shop)
    await sql`
      create function no_number() returns trigger language plpgsql as 'begin return null; end'`.execute(
      own.database.db,
    )
    await sql`
      create trigger no_number before insert on shop_counters for each row execute function no_number()`.execute(
      own.database.db,
    )
    const { status, headers } = await shop.post(path, {
      orderItems: [{ id: skuIds[0], quantity: 1 }],
    })
    expect([status, Number(headers['retry-after']) > 0]).toEqual([503, true])
  }, 20_000)
})
