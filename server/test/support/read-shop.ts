import { buildApp } from '../../src/process/app.ts'
import { makeArticle } from './news.ts'
import { notingStatements } from './noted-statements.ts'
import { newProduct, PRODUCTS } from './products.ts'
import { makeShop, type Partner, partnerOf, type Service, service } from './service.ts'

export const READS = {
  products: PRODUCTS,
  orders: '/api/external/v1/orders',
  customers: '/api/external/v1/customers',
  categories: '/api/external/v1/categories',
  warehouses: '/api/external/v1/warehouses',
  news: '/api/external/news',
}
export const POS = '/api/external/order/pos/create'

export type ReadShop = {
  /** Two apps on one database, like two processes, and the shop at each of them. */
  apps: [Service, Service]
  at: [Partner, Partner]
  /** The texts of the first app's statements since they were last taken. */
  statements(): string[]
  ids: Record<'product' | 'sku' | 'category' | 'customer' | 'order' | 'article' | 'warehouse', string>
  close(): Promise<void>
}

/** A shop with one record of each kind, at two apps without cached data. Their clock stands still, so that keys stay cached. */
export async function makeReadShop(given?: Service): Promise<ReadShop> {
  const shared = given ?? (await service())
  const { shopId, apiKey } = await makeShop(shared)
  const noted = notingStatements(shared.deps.db)
  const now = new Date()
  const clock = { now: () => now }
  const first = { ...shared, app: await buildApp({ ...shared.deps, db: noted.db, clock }) }
  const second = { ...shared, app: await buildApp({ ...shared.deps, clock }) }
  const at: [Partner, Partner] = [partnerOf(first, shopId, apiKey), partnerOf(second, shopId, apiKey)]
  const shop = at[0]
  const category = (await shop.post(READS.categories, { name: 'Áo' })).body.data._id
  const product = (await shop.post(PRODUCTS, newProduct({ name: 'Áo thun', categoryId: category }))).body.data
  const customer = (await shop.post(READS.customers, { fullName: 'Nguyễn An' })).body.data._id
  const orderItems = [{ id: product.skus[0].id, quantity: 2 }]
  const order = (await shop.post(POS, { userId: customer, orderItems })).body.data.id
  const article = (await makeArticle(shop))._id
  await shop.post(`${READS.news}/${article}/items`, { newsIds: [product.id] })
  const { warehouses } = (await partnerOf(shared, shopId, apiKey).get(READS.warehouses)).body.data
  await at[1].get('/api/external/wallet')
  return {
    apps: [first, second],
    at,
    statements: () => noted.texts.splice(0),
    ids: {
      product: product.id,
      sku: product.skus[0].id,
      category,
      customer,
      order,
      article,
      warehouse: warehouses[0]._id,
    },
    async close() {
      await Promise.all([first.app.close(), second.app.close()])
    },
  }
}
