import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { insertCategory, insertParts, PRODUCTS, twoByTwo } from '../../support/products.ts'
import { makeShop, type Partner, service } from '../../support/service.ts'
import { defaultWarehouse } from '../orders/order-fixtures.ts'

// The database writes the records of these lists as JSON (decision 0050). When a single record is read, the process
// presents it.

const running = await service()
const { db } = running.database
const ORDERS = '/api/external/v1/orders'

type Record_ = Record<string, unknown>

/** The response body as it was sent. */
async function textOf(shop: Partner, path: string): Promise<string> {
  const headers = { 'x-api-key': `service-partner ${shop.apiKey}` }
  const answer = await running.app.inject({ method: 'GET', url: path, headers })
  expect(answer.statusCode).toBe(200)
  return answer.body
}

/** A record without some of its fields, as the process writes it. */
function without(record: Record_, ...names: string[]): string {
  return JSON.stringify(Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name))))
}

/** Anything that a text column can hold: PostgreSQL allows neither NUL nor half of a surrogate pair. */
const text = fc
  .oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a, b: "c"', 'null', '\\', '\u2028', 'Áo "thun"\n'))
  .map((value) => value.replaceAll('\0', '\u0001'))
const textOrNull = fc.option(text)
const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))
const list = fc.array(fc.oneof(value, fc.dictionary(fc.constantFrom('a', 'b', 'c, d'), value)), {
  maxLength: 3,
})
const money = fc.integer({ min: 0, max: 9_000_000_000_000 })
/** With microseconds, of which the API shows only milliseconds. */
const time = fc
  .integer({ min: 0, max: 4_000_000_000_999_999 })
  .map((micros) => sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`)
const json = (stored: unknown) => sql`${JSON.stringify(stored)}::jsonb`

describe('E8, E9 one record, two ways', () => {
  const everything = 'skus,variants,category,wholesalePrices,subItemsGroups,skuImages'
  const stored = fc.record({
    texts: fc.array(text, { minLength: 7, maxLength: 7 }),
    nullable: fc.tuple(textOrNull, textOrNull, fc.option(money), fc.option(fc.integer({ max: 100 }))),
    lists: fc.array(list, { minLength: 7, maxLength: 7 }),
    images: fc.array(text, { maxLength: 3 }),
    vat: fc.integer({ min: 0, max: 10_000 }),
    flags: fc.tuple(fc.boolean(), fc.boolean()),
    times: fc.tuple(time, time),
  })

  it('E8 200 each product of the list byte for byte as E9 shows it, whatever is stored', async () => {
    const shop = await makeShop(running)
    const categoryId = await insertCategory(running, shop.shopId)
    const plain = await shop.post(PRODUCTS, { name: 'Mũ', price: 1 })
    const made = await shop.post(PRODUCTS, { ...twoByTwo(), name: 'Áo', price: 100_000, categoryId })
    const { _id: id } = made.body.data
    await insertParts(running, shop.shopId, made.body.data)
    const warehouseId = await defaultWarehouse(db, shop.shopId)
    await shop.post('/api/external/v1/inventory/entries', {
      warehouseId,
      items: [{ skuId: made.body.data.skus[1]._id, quantity: 7 }],
    })
    await fc.assert(
      fc.asyncProperty(stored, async ({ texts, nullable, lists, images, vat, flags, times }) => {
        const [name, description, alias, platform, code, skuName, slug] = texts
        const [sProductId, storeId, originPrice, sortOrder] = nullable
        await sql`
          update products
          set name = ${name}, description = ${description}, alias_name = ${alias}, platform = ${platform},
            slug = ${`${slug}.`}, s_product_id = ${sProductId}, store_id = ${storeId}, origin_price = ${originPrice},
            sort_order = ${sortOrder}, images = ${json(images)}, configs = ${json(lists[1])},
            hashtags = ${json(lists[2])}, collection_ids = ${json(lists[3])}, brand_product_ids = ${json(lists[4])},
            fake_review_ids = ${json(lists[5])}, combo_items = ${json(lists[6])}, vat_basis_points = ${vat},
            can_book = ${flags[0]}, is_customer_inquiry = ${flags[1]}, created_at = ${times[0]}, updated_at = ${times[1]}
          where shop_id = ${shop.shopId} and id = ${id}`.execute(db)
        await sql`
          update skus
          set name = ${skuName}, code = ${code}, images = ${json(images)}, created_at = ${times[1]}
          where shop_id = ${shop.shopId} and product_id = ${id}`.execute(db)
        for (const more of ['', `&warehouseId=${warehouseId}`]) {
          const query = `select=${everything}${more}`
          const listed = await textOf(shop, `${PRODUCTS}?${query}`)
          const drafts = await textOf(shop, `${PRODUCTS}?limit=10`)
          for (const each of [id, plain.body.data._id]) {
            const alone = JSON.parse(await textOf(shop, `${PRODUCTS}/${each}?${query}`)).data
            expect(listed).toContain(without(alone, 'skuDrafts'))
            const parts = ['skus', 'itemVariants', 'category', 'wholesalePrices', 'subItemsGroups']
            expect(drafts).toContain(without(alone, ...parts))
          }
          expect(listed).toBe(JSON.stringify(JSON.parse(listed)))
        }
      }),
      { numRuns: 20 },
    )
  })
})

describe('E12, E13 one record, two ways', () => {
  const stored = fc.record({
    texts: fc.array(text, { minLength: 9, maxLength: 9 }),
    nullable: fc.tuple(
      textOrNull,
      fc.option(money),
      fc.option(fc.dictionary(fc.constantFrom('x', 'a, b'), value)),
    ),
    subItems: list,
    images: fc.array(text, { maxLength: 3 }),
    vat: fc.integer({ min: 0, max: 10_000 }),
    flags: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
    times: fc.tuple(time, time),
  })
  const ofDetail = [
    'user',
    'shopAddress',
    'adminUser',
    'gatewayPayments',
    'reasonCancel',
    'userAddress',
    'collab',
    'referrerFullName',
  ]

  it('E12 200 each order of the list byte for byte as E13 shows it, but for the customer', async () => {
    const shop = await makeShop(running)
    const made = await shop.post(PRODUCTS, { ...twoByTwo(), name: 'Áo', price: 100_000 })
    const { _id: productId, skus } = made.body.data
    const buyer = await shop.post('/api/external/v1/customers', { fullName: 'Lan', phone: '0912345678' })
    const customerId = buyer.body.data._id
    const orderItems = skus.map((sku: { _id: string }) => ({ id: sku._id, quantity: 2, discount: 500 }))
    const order = { orderItems, userId: customerId, paymentMethod: 'cash', isPaid: true }
    const sold = await shop.post('/api/external/order/pos/create', order)
    const walkIn = await shop.post('/api/external/order/pos/create', { orderItems: orderItems.slice(0, 1) })
    expect([sold.status, walkIn.status]).toEqual([200, 200])
    await fc.assert(
      fc.asyncProperty(stored, async ({ texts, nullable, subItems, images, vat, flags, times }) => {
        const [note, shipping, code, method, sOrderId, line, sku, customer, option] = texts
        const [addressId, untaxedPrice, table] = nullable
        await sql`
          update orders
          set note = ${note}, shipping_method = ${shipping}, code = ${`${code}.`}, payment_method = ${method},
            s_order_id = ${sOrderId}, address_id = ${addressId}, untaxed_price = ${untaxedPrice},
            order_table = ${table === null ? null : JSON.stringify(table)}::jsonb, is_synced = ${flags[0]}, is_vat = ${flags[1]},
            is_paid = ${flags[2]}, created_at = ${times[0]}, updated_at = ${times[1]}
          where shop_id = ${shop.shopId} and id = ${sold.body.data._id}`.execute(db)
        await sql`
          update order_items
          set name = ${line}, list_sub_item = ${json(subItems)}, vat_basis_points = ${vat}
          where shop_id = ${shop.shopId}`.execute(db)
        await sql`
          update skus set name = ${sku}, barcode = ${option}, images = ${json(images)}
          where shop_id = ${shop.shopId} and product_id = ${productId}`.execute(db)
        await sql`update variant_options set name = ${option} where shop_id = ${shop.shopId}`.execute(db)
        await sql`update customers set full_name = ${customer} where shop_id = ${shop.shopId}`.execute(db)
        const listed = await textOf(shop, ORDERS)
        for (const { _id: id } of [sold.body.data, walkIn.body.data]) {
          const { user, ...alone } = JSON.parse(await textOf(shop, `${ORDERS}/${id}`)).data
          const { email, ...listedUser } = user ?? {}
          const { userId, ...rest } = alone
          const shown = { ...rest, userId: user === null ? null : listedUser }
          expect(listed).toContain(without(shown, ...ofDetail))
        }
        expect(listed).toBe(JSON.stringify(JSON.parse(listed)))
      }),
      { numRuns: 20 },
    )
  })
})
