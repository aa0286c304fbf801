import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openPostgres } from '../../src/db/client.ts'
import { createPosOrder, previewPosOrder } from '../../src/modules/orders/create-pos-order.ts'
import { buildApp } from '../../src/process/app.ts'
import { makeProduct } from '../http/orders/order-fixtures.ts'
import { onPostgres } from '../support/database.ts'
import { newKey } from '../support/idempotency.ts'
import { newProduct, PRODUCTS } from '../support/products.ts'
import { makeReadShop, POS, READS, type ReadShop } from '../support/read-shop.ts'
import { makeSendingShop } from '../support/sending.ts'
import { type Answer, makeShop, type Partner, partnerOf, separateService } from '../support/service.ts'

// PostgreSQL plans a prepared statement anew at each of its first five calls, and goes on if that seems to save more than it costs.
// It seems so for a shop that is much smaller than the average of its neighbours. So these tests have a database of their own.
const ALWAYS_PLANNED = 5
const CALLS = 12

type Statement = { statement: string; planned: number; calls: number }

async function statementsOf({ db }: Database): Promise<Statement[]> {
  const { rows } = await sql<Statement>`
    select statement, custom_plans::int as planned, (custom_plans + generic_plans)::int as calls
    from pg_prepared_statements`.execute(db)
  return rows
}

/** The statements that `work` called often on the connection, with how often they were called and planned meanwhile. */
async function hotStatements(one: Database, work: () => Promise<void>): Promise<Statement[]> {
  const before = new Map((await statementsOf(one)).map((known) => [known.statement, known]))
  await work()
  const now = (await statementsOf(one)).map(({ statement, planned, calls }) => {
    const known = before.get(statement) ?? { planned: 0, calls: 0 }
    return { statement, planned: planned - known.planned, calls: calls - known.calls }
  })
  return now.filter(({ calls }) => calls >= CALLS)
}
const plannedAnew = (statements: Statement[]) => statements.filter(({ planned }) => planned > ALWAYS_PLANNED)

describe.runIf(onPostgres)('a counter sale (E14)', () => {
  it('has its statements planned once per connection, not at each sale', async () => {
    const running = await separateService()
    const shop = await makeShop(running)
    const { productId, skuIds } = await makeProduct(running, shop)
    const one = openPostgres(running.deps.config.databaseUrl!, { max: 1 })
    const deps = { ...running.deps, db: one.db }
    const taken = { sellerId: null, by: null, soldAt: undefined }
    const hot = await hotStatements(one, async () => {
      for (let n = 0; n < CALLS; n++) {
        const orderItems = [{ id: n % 2 === 0 ? skuIds[0]! : productId, quantity: 1 }]
        await previewPosOrder(deps, shop.shopId, { orderItems })
        await createPosOrder(deps, shop.shopId, { orderItems }, deps.ids.next(), taken)
      }
    })
    await one.close()
    expect(hot).toHaveLength(2)
    expect(plannedAnew(hot)).toEqual([])
  })
})

describe.runIf(onPostgres)('requests', () => {
  let made: ReadShop
  let one: Database
  let shop: Partner
  let sender: Partner
  let templateId: string
  let close: () => Promise<void>

  beforeAll(async () => {
    const running = await separateService()
    made = await makeReadShop(running)
    one = openPostgres(running.deps.config.databaseUrl!, { max: 1 })
    const app = await buildApp({
      ...running.deps,
      db: one.db,
      database: { ...running.deps.database, slow: one.db },
    })
    close = async () => {
      await app.close()
      await one.close()
      await made.close()
    }
    const { shopId, apiKey } = made.at[0]
    shop = partnerOf({ ...running, app }, shopId, apiKey)
    const sending = await makeSendingShop(running.app.listeningOrigin)
    sender = partnerOf({ ...running, app }, sending.shopId, sending.apiKey)
    templateId = sending.templateId
  })
  afterAll(() => close())

  const writes: [string, (n: number) => Promise<Answer>][] = [
    ['E10', (n) => shop.post(PRODUCTS, newProduct({ name: `Áo ${n}`, itemSku: `A${n}` }))],
    ['E11', (n) => shop.patch(`${PRODUCTS}/${made.ids.product}`, { shopId: shop.shopId, price: 1000 + n })],
    ['E14', () => shop.post(POS, { orderItems: [{ id: made.ids.sku, quantity: 1 }] }, newKey())],
    ['E5', (n) => sender.post('/api/external/notify-message/send', messageTo(n), newKey())],
    ['stock received', () => shop.post('/api/external/v1/inventory/entries', received())],
    ['a customer', (n) => shop.post(READS.customers, { fullName: `An ${n}`, phone: `09000001${10 + n}` })],
  ]
  const received = () => ({
    warehouseId: made.ids.warehouse,
    type: 'receive',
    items: [{ skuId: made.ids.sku, quantity: 5 }],
  })
  const messageTo = (n: number) => ({
    templateId,
    receiverPhone: `84912345${600 + n}`,
    params: { customer_name: 'An', order_code: 'DH1' },
  })

  it.each(writes)('%s: no statement is planned at each request', async (_, write) => {
    const hot = await hotStatements(one, async () => {
      for (let n = 0; n < CALLS; n++) {
        const { status, body } = await write(n)
        expect([status, body]).toEqual([expect.toBeOneOf([200, 201]), expect.anything()])
      }
    })
    expect(hot.length).toBeGreaterThan(0)
    expect(plannedAnew(hot)).toEqual([])
  })

  it.each([
    'v1/products?limit=10&select=skus,variants,category',
    'v1/products?limit=10&page=2',
    'v1/products?limit=10&sortBy=price&sortType=asc',
    'v1/products?limit=10&sortBy=stock_quantity&sortType=asc',
    'v1/products?limit=10&categoryId={category}',
    'v1/products?limit=10&minPrice=1',
    'v1/products?limit=10&barcode=8930000000001',
    'v1/products?limit=10&cursor=*',
    'v1/products/{product}',
    'v1/products/{product}/history',
    'v1/orders?limit=10',
    'v1/orders?limit=10&page=2',
    'v1/orders?limit=10&status=pending',
    'v1/orders?limit=10&startDate=2026-01-10T00:00:00Z',
    'v1/orders?limit=10&customerId={customer}',
    'v1/orders?limit=10&sortBy=price',
    'v1/orders/{order}',
    'v1/orders/{order}/timeline',
    'v1/customers?limit=10',
    'v1/customers?debt=owed&sortBy=debt',
    'v1/customers/{customer}',
    'v1/customers/{customer}/debt',
    'v1/categories?limit=10',
    'v1/categories/{category}',
    'v1/warehouses',
    'v1/inventory/entries',
    'v1/inventory/costs',
    'v1/inventory/movements',
    'v1/shifts',
    'v1/consents',
    'v1/audiences',
    'v1/reports/profit',
    'notify-template',
    'notify-message/history',
    'notify-message/batches',
    'official-accounts',
    'news?limit=10',
    'news/{article}',
    'wallet',
    'wallet/entries',
    'overview',
    'changes',
    'events',
  ])('%s: no statement is planned at each request', async (path) => {
    const filled = path.replace(/\{(\w+)\}/, (_, name) => made.ids[name as keyof ReadShop['ids']])
    const address = `/api/external/${filled}${path.includes('?') ? '&' : '?'}`
    const hot = await hotStatements(one, async () => {
      for (let n = 0; n < CALLS; n++) {
        // A new address each time, so that the response does not come from memory.
        const { status, body } = await shop.get(`${address}n=${n}`)
        expect([status, body]).toEqual([200, expect.anything()])
      }
    })
    expect(hot.length).toBeGreaterThan(0)
    expect(plannedAnew(hot)).toEqual([])
  })
})
