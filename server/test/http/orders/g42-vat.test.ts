import { describe, expect, it } from 'vitest'
import { exported, importFile } from '../../support/imports.ts'
import { createProduct, PRODUCTS } from '../../support/products.ts'
import { makeShop, service } from '../../support/service.ts'
import { shopWithSku } from './order-fixtures.ts'

const running = await service()
const CREATE = '/api/external/order/pos/create'
const PREVIEW = '/api/external/order/pos/preview'

/** Rates whose hundredths a double cannot hold exactly. */
const RATES = [8.5, 0.07, 8.55, 5.1, 1.1, 4.35, 64.1, 99.99, 0.01, 100, 0]
const TOO_FINE = [8.555, 0.001, 8.550000000001, 0.30000000000000004, 1e-7, 99.999]

describe('G-42 VAT is a percentage with at most two decimals', () => {
  it('200 products keep it as sent: E10, E11, E9 and E8', async () => {
    const shop = await makeShop(running)
    const product = await createProduct(shop, { vat: 8.5 })
    expect(product.vat).toBe(8.5)
    for (const vat of RATES) {
      const { body } = await shop.patch(`${PRODUCTS}/${product._id}`, { shopId: shop.shopId, vat })
      expect(body.data.vat).toBe(vat)
      expect((await shop.get(`${PRODUCTS}/${product._id}`)).body.data.vat).toBe(vat)
    }
    const made = await Promise.all(RATES.map((vat, n) => createProduct(shop, { name: `Trà ${n}`, vat })))
    expect(made.map((each) => each.vat)).toEqual(RATES)
    const { body } = await shop.get(`${PRODUCTS}?search=tra&limit=50&sortType=asc`)
    expect(body.data.products.map((each: { vat: number }) => each.vat)).toEqual(RATES)
  })

  it('400 of a third decimal, in Joi’s words, wherever a rate is sent', async () => {
    const { partner, productId, skuId } = await shopWithSku(running)
    const line = { id: skuId, quantity: 1 }
    for (const vat of TOO_FINE) {
      for (const [field, answer] of [
        ['vat', await partner.post(PRODUCTS, { name: 'x', price: 1, vat })],
        ['vat', await partner.patch(`${PRODUCTS}/${productId}`, { shopId: partner.shopId, vat })],
        ['orderItems[0].vat', await partner.post(CREATE, { orderItems: [{ ...line, vat }] })],
        ['orderItems[0].vat', await partner.post(PREVIEW, { orderItems: [{ ...line, vat }] })],
      ] as const) {
        expect([vat, answer.status]).toEqual([vat, 400])
        expect(answer.body.validation.body.message).toBe(`"${field}" must have no more than 2 decimal places`)
      }
    }
  })

  it('200 order items, the preview and its rates carry it; the net is exact', async () => {
    const { partner, skuId } = await shopWithSku(running)
    const asked = { orderItems: [{ id: skuId, quantity: 1, price: 108_500, vat: 8.5 }] }
    const preview = (await partner.post(PREVIEW, asked)).body.data
    expect(preview).toMatchObject({ price: 108_500, untaxedPrice: 100_000, orderItems: [{ vat: 8.5 }] })
    expect(preview.vatRates).toEqual([{ vat: 8.5, gross: 108_500, net: 100_000, tax: 8_500 }])
    const placed = (await partner.post(CREATE, asked)).body.data
    expect(placed).toMatchObject({ untaxedPrice: 100_000, orderItems: [{ vat: 8.5 }] })
    const read = await partner.get(`/api/external/v1/orders/${placed._id}`)
    expect(read.body.data.orderItems[0].vat).toBe(8.5)
  })

  it('200 the product’s rate applies where the line has none', async () => {
    const shop = await makeShop(running)
    const product = await createProduct(shop, { price: 108_500, vat: 8.5 })
    const { body } = await shop.post(PREVIEW, { orderItems: [{ id: product._id, quantity: 1 }] })
    expect(body.data).toMatchObject({ untaxedPrice: 100_000, orderItems: [{ vat: 8.5 }] })
  })

  it('200 files carry it out and in, and refuse a third decimal', async () => {
    const shop = await makeShop(running)
    await createProduct(shop, { name: 'Trà', vat: 8.55 })
    const file = await exported(shop)
    const again = await importFile(shop, file)
    expect(again).toMatchObject({ unchanged: 1, updated: 0, failed: 0 })
    const other = await makeShop(running)
    await importFile(other, 'name,price,vat\nTrà,1000,8.55\nSen,1000,5.1\n', 'mode=each-row')
    expect((await exported(other)).match(/,(8\.55|5\.1),/g)).toEqual([',8.55,', ',5.1,'])
    const refused = await importFile(other, 'name,price,vat\nCốm,1000,8.555\n', 'mode=each-row')
    expect(refused.errors).toEqual([
      { line: 2, column: 'vat', message: '"vat" must have no more than 2 decimal places' },
    ])
  })

  it('400 of a fraction of a đồng in any amount', async () => {
    const { partner, skuId } = await shopWithSku(running)
    const line = { id: skuId, quantity: 1 }
    const bodies: [string, object][] = [
      ['orderItems[0].price', { orderItems: [{ ...line, price: 0.5 }] }],
      ['orderItems[0].discount', { orderItems: [{ ...line, discount: 1.5 }] }],
      ['discount', { orderItems: [line], discount: 0.1 }],
      ['shippingFee', { orderItems: [line], shippingFee: 2.25 }],
      ['total', { orderItems: [line], total: 1.5 }],
      ['paidAmount', { orderItems: [line], paidAmount: 1.5 }],
    ]
    for (const [field, body] of bodies) {
      const answer = await partner.post(CREATE, body)
      expect([field, answer.status]).toEqual([field, 400])
      expect(answer.body.validation.body.message).toBe(`"${field}" must be an integer`)
    }
  })
})

describe('G-42 what has been paid', () => {
  it('200 isPaid and paidAmount are kept as sent; the one not sent comes from the other', async () => {
    const { partner, skuId } = await shopWithSku(running)
    const place = async (sent: object) => {
      const answer = await partner.post(CREATE, { orderItems: [{ id: skuId, quantity: 1 }], ...sent })
      const { _id, isPaid, paidAmount, paymentStatus } = answer.body.data
      const read = (await partner.get(`/api/external/v1/orders/${_id}`)).body.data
      expect(read).toMatchObject({ isPaid, paidAmount, paymentStatus })
      return [isPaid, paidAmount, paymentStatus]
    }
    expect(await place({ isPaid: false, paidAmount: 100_000 })).toEqual([false, 100_000, 'partially_paid'])
    expect(await place({ isPaid: true, paidAmount: 0 })).toEqual([true, 0, 'paid'])
    expect(await place({ paidAmount: 100_000 })).toEqual([true, 100_000, 'paid'])
    expect(await place({ paidAmount: 99_999 })).toEqual([false, 99_999, 'partially_paid'])
    expect(await place({ isPaid: true })).toEqual([true, 100_000, 'paid'])
    expect(await place({ isPaid: false })).toEqual([false, 0, 'not_paid'])
    expect(await place({})).toEqual([false, 0, 'not_paid'])
  })

  it('200 recording the price of an order that was not called paid makes it paid', async () => {
    const { partner, skuId } = await shopWithSku(running)
    const sent = { orderItems: [{ id: skuId, quantity: 1 }], isPaid: false, paidAmount: 100_000 }
    const { _id } = (await partner.post(CREATE, sent)).body.data
    const { body } = await partner.patch(`/api/external/v1/orders/${_id}/payment`, { paidAmount: 100_000 })
    expect(body.data).toMatchObject({ isPaid: true, paidAmount: 100_000, paymentStatus: 'paid' })
    expect(body.data.gatewayPayments).toHaveLength(1)
  })
})
