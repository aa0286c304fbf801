import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/process/app.ts'
import { makeArticle } from '../../support/news.ts'
import { newProduct, PRODUCTS, twoByTwo } from '../../support/products.ts'
import { makeShop, type Partner, partnerOf, type Service, service } from '../../support/service.ts'
import { makeShopWithOa, templateBody } from '../../support/template-shop.ts'
import { eventsOf, forget, listen } from '../../support/webhooks.ts'

let running: Service
let partner: Partner
let statements = 0
const records = { product: '', sku: '', customer: '', order: '', article: '', template: '' }
const ORDERS = '/api/external/v1/orders'
const POS = '/api/external/order/pos/create'
const CUSTOMERS = '/api/external/v1/customers'
const MOVEMENTS = '/api/external/v1/inventory/movements'
const NEWS = '/api/external/news'
const TEMPLATES = '/api/external/notify-template'

beforeAll(async () => {
  const shared = await service()
  const db = shared.deps.db.withPlugin({
    transformQuery({ node }) {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  // The clock stands still, so a cached key stays cached and no test counts its look-up.
  const now = new Date()
  const database = { ...shared.deps.database, slow: db }
  running = { ...shared, app: await buildApp({ ...shared.deps, db, database, clock: { now: () => now } }) }
  const shop = await makeShopWithOa(shared)
  partner = partnerOf(running, shop.shopId, shop.apiKey)
  // Several of each, so that one statement per row would be noticed.
  for (const name of ['Áo thun', 'Áo dài', 'Nón lá']) {
    const product = await partner.post(PRODUCTS, newProduct({ name }))
    records.product = product.body.data.id
    records.sku = product.body.data.skus[0].id
    const customer = await partner.post(CUSTOMERS, { fullName: `Nguyễn ${name}` })
    records.customer = customer.body.data.id
    const order = await partner.post(POS, {
      userId: records.customer,
      orderItems: [{ id: records.sku, quantity: 2 }],
      isPaid: true,
    })
    records.order = order.body.data.id
    records.article = (await makeArticle(partner, { title: name }))._id
    await partner.post(`${NEWS}/${records.article}/items`, { newsIds: [records.product] })
    const template = await partner.post(`${TEMPLATES}/create`, templateBody(shop.oaId, { name }))
    records.template = template.body.template._id
  }
})

afterAll(() => running.app.close())

beforeEach(() => {
  statements = 0
})

/** The number of statements for a response, which must be 200. */
async function statementsOf(request: Promise<{ status: number; body: unknown }>): Promise<number> {
  statements = 0
  const { status, body } = await request
  expect(status, JSON.stringify(body)).toBe(200)
  return statements
}

describe('design “budget of database round trips”: a list or a read is one statement', () => {
  const requests: [string, () => string][] = [
    ['E3', () => TEMPLATES],
    ['E3 filtered', () => `${TEMPLATES}?status=DRAFT&templateType=custom&search=ao&page=2&size=1`],
    ['E4', () => `${TEMPLATES}/${records.template}`],
    ['E7', () => '/api/external/notify-message/history'],
    [
      'E7 filtered',
      () => '/api/external/notify-message/history?phone=0912345678&status=ERROR&from=2020-01-01',
    ],
    ['G-25 history export', () => '/api/external/notify-message/history/export?status=ERROR'],
    ['E8', () => PRODUCTS],
    ['E8 select', () => `${PRODUCTS}?select=skus,variants,category,wholesalePrices,subItemsGroups&limit=50`],
    ['E8 filtered', () => `${PRODUCTS}?search=ao&minPrice=1&maxPrice=900000&sortBy=name&sortType=asc`],
    ['E8 barcode', () => `${PRODUCTS}?barcode=777`],
    ['E8 warehouseId', () => `${PRODUCTS}?warehouseId=${records.product}`],
    ['E9', () => `${PRODUCTS}/${records.product}?select=category,wholesalePrices,subItemsGroups`],
    ['E12', () => ORDERS],
    [
      'E12 by day',
      () => `${ORDERS}?startDate=2020-01-01&endDate=2100-01-01&status=pending&platform=mini_pos`,
    ],
    ['E12 search', () => `${ORDERS}?search=nguyen&customerId=${records.customer}&paymentMethod=cash`],
    ['E12 past the end', () => `${ORDERS}?page=99`],
    ['E13', () => `${ORDERS}/${records.order}`],
    ['G-40 timeline', () => `${ORDERS}/${records.order}/timeline`],
    ['G-40 export', () => `${ORDERS}/export?status=pending`],
    ['G-38 warehouses', () => '/api/external/v1/warehouses'],
    ['G-38 movements', () => `${MOVEMENTS}?warehouseId=${records.product}`],
    ['G-46 customers', () => CUSTOMERS],
    ['G-46 customers search', () => `${CUSTOMERS}?search=nguyen`],
    ['G-46 customers export', () => `${CUSTOMERS}/export?search=nguyen`],
    ['G-50 news', () => NEWS],
    ['G-50 news filtered', () => `${NEWS}?status=active&search=ao`],
    ['G-50 one article', () => `${NEWS}/${records.article}`],
  ]

  it.each(requests)('%s', async (_, path) => {
    expect(await statementsOf(partner.get(path()))).toBe(1)
  })
})

describe('design “budget of database round trips”: writes', () => {
  it('E14 takes two statements, however many lines it has, and its preview one', async () => {
    const order = (lines: number) => ({
      userId: records.customer,
      orderItems: Array.from({ length: lines }, () => ({ id: records.sku, quantity: 1 })),
      isPaid: true,
    })
    expect(await statementsOf(partner.post(POS, order(1)))).toBe(2)
    expect(await statementsOf(partner.post(POS, order(50)))).toBe(2)
    expect(await statementsOf(partner.post('/api/external/order/pos/preview', order(50)))).toBe(1)
  })

  it('E10 takes one statement with four SKUs as with one, E11 two, E15 one, E16 two', async () => {
    expect(await statementsOf(partner.post(PRODUCTS, newProduct()))).toBe(1)
    expect(await statementsOf(partner.post(PRODUCTS, newProduct(twoByTwo())))).toBe(1)
    const update = { shopId: partner.shopId, price: 5 }
    expect(await statementsOf(partner.patch(`${PRODUCTS}/${records.product}`, update))).toBe(2)
    const attach = { newsIds: [records.product] }
    expect(await statementsOf(partner.post(`${NEWS}/${records.article}/items`, attach))).toBe(1)
    expect(await statementsOf(partner.put(`${NEWS}/${records.article}`, { title: 'Mới' }))).toBe(2)
  })

  it('G-62 with an endpoint that listens to everything, E10, E11, E14, E15 and E16 take no further one', async () => {
    const endpoint = await listen(running, partner.shopId)
    const told = async () => (await eventsOf(running, partner.shopId)).length
    const sku = { orderItems: [{ id: records.sku, quantity: 1 }], isPaid: true }
    expect(await statementsOf(partner.post(POS, sku))).toBe(2)
    expect(await statementsOf(partner.post(PRODUCTS, newProduct()))).toBe(1)
    const update = { shopId: partner.shopId, price: 6 }
    expect(await statementsOf(partner.patch(`${PRODUCTS}/${records.product}`, update))).toBe(2)
    const attach = { newsIds: [records.product] }
    const { _id } = await makeArticle(partner)
    expect(await statementsOf(partner.post(`${NEWS}/${_id}/items`, attach))).toBe(1)
    expect(await statementsOf(partner.put(`${NEWS}/${_id}`, { title: 'Mới' }))).toBe(2)
    expect(await told()).toBe(3 + 1 + 1 + 3)
    await forget(running, partner.shopId, endpoint)
  })

  it('the key of a request is looked up once and then known', async () => {
    const made = await makeShop(running)
    const other = partnerOf(running, made.shopId, made.apiKey)
    expect(await statementsOf(other.get(CUSTOMERS))).toBeGreaterThan(1)
    expect(await statementsOf(other.get(`${CUSTOMERS}?page=2`))).toBe(1)
  })
})
