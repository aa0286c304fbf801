import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeShop, service, unusedId } from '../../support/service.ts'
import { importOrders } from './order-fixtures.ts'

const running = await service()
const { db } = running.deps
const path = '/api/external/v1/orders'

describe('E13 read order', () => {
  it('200 with every field of an order made elsewhere', async () => {
    const partner = await makeShop(running)
    const { _id: customerId } = (
      await partner.post('/api/external/v1/customers', {
        fullName: 'Lan',
        phone: '0912345678',
        email: 'lan@x.example',
      })
    ).body.data
    const createdAt = new Date('2026-03-01T02:03:04.005Z')
    const [id] = await importOrders(db, partner.shopId, [
      { customerId, code: 'A-1', createdAt, status: 'cancelled' },
    ])
    const [addressId, paymentId] = [unusedId(), unusedId()]
    await sql`insert into shop_addresses (shop_id, id, name) values (${partner.shopId}, ${addressId}, 'Quầy 1')`.execute(
      db,
    )
    await sql`
      insert into gateway_payments (shop_id, id, order_id, amount, method, note, created_at)
      values (${partner.shopId}, ${paymentId}, ${id}, 5000000000, 'cash', 'cọc', ${createdAt})`.execute(db)
    await sql`
      update orders
      set shop_address_id = ${addressId}, address_id = 'a1', shipping_method = 'ghn', price = 90, origin_price = 100,
        discount = 10, discount_shipping = 1, flash_sale_discount = 2, shipping_fee = 3, loyalty_discount = 4,
        point_discount_price = 5, points = 6, paid_amount = 5000000000, is_paid = true, is_synced = true, is_vat = true,
        payment_status = 'paid', invoice_status = 'issued', note = 'n', s_order_id = 'ERP-9', order_table = '{"name": "B2"}',
        reason_cancel = 'đổi ý', admin_user = '{"fullName": "Chủ"}', collab = '{"code": "C"}',
        referrer_full_name = 'Bạn', user_address = '{"name": "Lan", "phone": "0912345678", "city": "Huế"}'
      where shop_id = ${partner.shopId} and id = ${id}`.execute(db)
    const answer = await partner.get(`${path}/${id!.toUpperCase()}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      data: {
        _id: id,
        id,
        __v: 0,
        code: 'A-1',
        shippingMethod: 'ghn',
        addressId: 'a1',
        shopAddressId: addressId,
        shopId: partner.shopId,
        userId: customerId,
        user: {
          _id: customerId,
          id: customerId,
          fullName: 'Lan',
          phone: '84912345678',
          email: 'lan@x.example',
          avatar: '',
        },
        price: 90,
        discount: 10,
        originPrice: 100,
        discountShipping: 1,
        flashSaleDiscount: 2,
        shippingFee: 3,
        loyaltyDiscount: 4,
        pointDiscountPrice: 5,
        points: 6,
        paidAmount: 5_000_000_000,
        isPaid: true,
        isSynced: true,
        isVAT: true,
        status: 'cancelled',
        paymentStatus: 'paid',
        invoiceStatus: 'issued',
        paymentMethod: '',
        note: 'n',
        search: 'a-1',
        platform: 'mini_app',
        sOrderId: 'ERP-9',
        table: { name: 'B2' },
        orderItems: [],
        createdAt: '2026-03-01T02:03:04.005Z',
        updatedAt: '2026-03-01T02:03:04.005Z',
        shopAddress: { _id: addressId, id: addressId, name: 'Quầy 1' },
        adminUser: { fullName: 'Chủ' },
        gatewayPayments: [
          {
            _id: paymentId,
            id: paymentId,
            orderId: id,
            amount: 5_000_000_000,
            method: 'cash',
            note: 'cọc',
            createdAt: '2026-03-01T02:03:04.005Z',
          },
        ],
        reasonCancel: 'đổi ý',
        userAddress: {
          name: 'Lan',
          phone: '0912345678',
          city: 'Huế',
          district: '',
          ward: '',
          addressDetail: '',
        },
        collab: { code: 'C' },
        referrerFullName: 'Bạn',
      },
    })
  })

  it('404 for an unknown order and another shop’s', async () => {
    const partner = await makeShop(running)
    const [foreign] = await importOrders(db, (await makeShop(running)).shopId, [{}])
    for (const id of [unusedId(), foreign]) {
      const answer = await partner.get(`${path}/${id}`)
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ error: 'Resource not found', message: 'The order does not exist' })
    }
  })

  it('500 for a malformed id', async () => {
    const partner = await makeShop(running)
    for (const id of ['x', 'g'.repeat(24), '0'.repeat(23)]) {
      expect((await partner.get(`${path}/${id}`)).status).toBe(500)
    }
  })
})

describe('G-00 version of an order', () => {
  it('__v is the stored version', async () => {
    const partner = await makeShop(running)
    const [id] = await importOrders(db, partner.shopId, [{}])
    await sql`update orders set version = version + 1 where shop_id = ${partner.shopId} and id = ${id}`.execute(
      db,
    )
    expect((await partner.get(`${path}/${id}`)).body.data.__v).toBe(1)
    expect((await partner.get(path)).body.data.orders[0].__v).toBe(1)
  })
})
