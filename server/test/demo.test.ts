import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureDemo } from '../src/demo/demo.ts'
import { newApiKey } from '../src/modules/access/keys/rules.ts'
import { checkInvariants } from './support/invariants.ts'
import { type Answer, type Partner, partnerOf, type Service, separateService } from './support/service.ts'

type Body = Answer['body']

const DAY_MS = 86_400_000
const dataDir = mkdtempSync(join(tmpdir(), 'shopbell-demo-'))
const keyFile = join(dataDir, 'demo-api-key')
let running: Service
let partner: Partner
let apiKey = ''
let readAll: (path: string) => Promise<Body>

beforeAll(async () => {
  running = await separateService({ dataDir })
  apiKey = (await ensureDemo(running.deps, running.simulatorUrl))!.apiKey
  const { rows } = await sql<{ id: string }>`select id from shops`.execute(running.deps.db)
  partner = partnerOf(running, rows[0]!.id, apiKey)
  readAll = async (path) => {
    const answer = await partner.get(path)
    expect(answer.status, path).toBe(200)
    return answer.body
  }
})

afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** The number of rows in the tables that the demo fills. */
async function rowCounts({ deps }: Service): Promise<Record<string, number>> {
  const tables = [
    'shops',
    'api_keys',
    'products',
    'skus',
    'orders',
    'customers',
    'news',
    'templates',
    'messages',
  ]
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(
      deps.db,
    )
    counts[table] = rows[0]!.n
  }
  return counts
}

async function everyOrder(): Promise<Body[]> {
  const orders: Body[] = []
  for (const page of [1, 2, 3]) {
    orders.push(...(await readAll(`/api/external/v1/orders?limit=100&page=${page}`)).data.orders)
  }
  return orders
}

describe('the demo shop', () => {
  it('has 40 products and more, most with variants, in 5 categories, with stock in 2 warehouses', async () => {
    const { products, meta } = (
      await readAll('/api/external/v1/products?limit=50&select=skus,variants,category')
    ).data
    expect(meta.total).toBeGreaterThanOrEqual(40)
    expect(products.filter((one: Body) => one.itemVariants.length > 0).length).toBeGreaterThanOrEqual(20)
    expect(new Set(products.map((one: Body) => one.category.name)).size).toBe(5)
    const barcodes = products.flatMap((one: Body) => [
      one.barcode,
      ...one.skus.map((sku: Body) => sku.barcode),
    ])
    for (const barcode of barcodes) expect(isEan13(barcode), barcode).toBe(true)
    const { rows: warehouses } = await sql<{ id: string }>`select id from warehouses`.execute(running.deps.db)
    expect(warehouses).toHaveLength(2)
    for (const { id } of warehouses) {
      const stocked = (await readAll(`/api/external/v1/products?limit=50&warehouseId=${id}`)).data.products
      for (const sku of stocked.flatMap((one: Body) => one.skus)) {
        expect(sku.warehouseStock.available, sku.sku).toBeGreaterThanOrEqual(0)
        expect(sku.warehouseStock.quantity, sku.sku).toBeGreaterThan(0)
      }
    }
  })

  it('has 60 customers and 300 orders of 60 days, in all statuses and from both platforms', async () => {
    expect((await readAll('/api/external/v1/customers')).data.meta.total).toBe(60)
    const orders = await everyOrder()
    expect(orders).toHaveLength(300)
    expect(new Set(orders.map((order) => order.status)).size).toBe(8)
    expect(new Set(orders.map((order) => order.platform))).toEqual(new Set(['mini_app', 'mini_pos']))
    const times = orders.map((order) => Date.parse(order.createdAt))
    const days = (Math.max(...times) - Math.min(...times)) / DAY_MS
    expect(days).toBeGreaterThan(55)
    expect(days).toBeLessThanOrEqual(60)
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.now())
  })

  it('every order adds up, is later than its customer, and is changed and paid as its status says', async () => {
    const customers = new Map(
      (await readAll('/api/external/v1/customers?limit=100')).data.customers.map((one: Body) => [
        one.id,
        one,
      ]),
    ) as Map<string, Body>
    const orders = await everyOrder()
    expect(orders.length).toBeGreaterThan(0)
    for (const order of orders) {
      const lines = order.orderItems.reduce(
        (sum: number, item: Body) => sum + item.price * item.quantity - item.discount,
        0,
      )
      expect(order.price, order.code).toBe(lines - order.discount + order.shippingFee)
      expect(order.untaxedPrice, order.code).toBeLessThan(lines)
      expect(new Set(order.orderItems.map((item: Body) => item.skuId)).size).toBe(order.orderItems.length)
      for (const item of order.orderItems) {
        expect(item.status, order.code).toBe(order.status)
        expect(item.name.startsWith(item.sku.item.name), item.name).toBe(true)
      }
      expect(order.updatedAt >= order.createdAt && order.updatedAt <= new Date().toISOString()).toBe(true)
      expect(order.paidAmount, order.code).toBe(order.isPaid ? order.price : 0)
      if (order.status === 'completed') expect(order.isPaid, order.code).toBe(true)
      if (order.status === 'cancelled') expect(order.isPaid, order.code).toBe(false)
      if (order.platform === 'mini_app') expect(order.userId, order.code).not.toBeNull()
      if (order.userId) expect(customers.get(order.userId.id).createdAt < order.createdAt).toBe(true)
    }
  })

  it('has 8 articles, templates in all five statuses and one of the old form', async () => {
    expect((await readAll('/api/external/news')).data.meta.total).toBe(8)
    const { templates } = await readAll('/api/external/notify-template?size=100')
    const statuses = new Set(templates.map((one: Body) => one.status))
    expect(statuses).toEqual(new Set(['DRAFT', 'PENDING_REVIEW', 'ENABLE', 'DISABLE', 'REJECTED']))
    const legacy = templates.filter(
      (one: Body) => one.tables !== undefined && one.contentBlocks === undefined,
    )
    expect(legacy).toHaveLength(1)
  })

  it('has sent messages, received and refused, and money left in the wallet', async () => {
    const { histories, meta } = await readAll('/api/external/notify-message/history?offset=100')
    expect(meta.total).toBeGreaterThanOrEqual(100)
    expect(new Set(histories.map((one: Body) => one.status))).toEqual(new Set(['RECEIVED', 'ERROR']))
    const wallet = await readAll('/api/external/wallet')
    expect(wallet.balance).toBeGreaterThan(100_000)
    expect(wallet.held).toBe(0)
  })

  it('an approved template sends', async () => {
    const { templates } = await readAll(
      '/api/external/notify-template?status=ENABLE&search=xac nhan don hang',
    )
    const params = { customer_name: 'Nguyễn Thị Ánh', order_code: 'DH1', total_amount: '250000' }
    const sent = await partner.post('/api/external/notify-message/send', {
      templateId: templates[0].templateId,
      receiverPhone: '0903100000',
      params,
    })
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  })

  it('the next order goes on with the numbers', async () => {
    const product = (await readAll('/api/external/v1/products?limit=1&select=skus')).data.products[0]
    const placed = await partner.post('/api/external/order/pos/create', {
      orderItems: [{ id: product.skus[0].id, quantity: 1 }],
    })
    expect(placed.body.data.code).toBe('DH301')
  })

  it('keeps every invariant of the data', async () => {
    await checkInvariants(running.deps.db)
  })

  it('a later start gives the same key and makes nothing', async () => {
    const before = await rowCounts(running)
    expect(await ensureDemo(running.deps, running.simulatorUrl)).toEqual({ apiKey, isNew: false })
    expect(await rowCounts(running)).toEqual(before)
    expect(readFileSync(keyFile, 'utf8').trim()).toBe(apiKey)
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
  })

  it('makes nothing, and knows no key, when the file is gone from a database that has shops', async () => {
    const before = await rowCounts(running)
    const config = { ...running.deps.config, dataDir: mkdtempSync(join(dataDir, 'empty-')) }
    expect(await ensureDemo({ ...running.deps, config }, running.simulatorUrl)).toBeUndefined()
    expect(await rowCounts(running)).toEqual(before)
    expect(existsSync(join(config.dataDir, 'demo-api-key'))).toBe(false)
  })
})

describe('the demo shop, when the process dies while it is made', () => {
  it('between the key file and the commit: nothing exists, and the next start creates everything again', async () => {
    const ownDir = mkdtempSync(join(dataDir, 'died-'))
    const service = await separateService({ dataDir: ownDir })
    const file = join(ownDir, 'demo-api-key')
    const { ids } = service.deps
    let left = 1500
    const dying = {
      ...ids,
      next: () => {
        left -= 1
        if (left === 0) throw new Error('the process dies')
        return ids.next()
      },
    }
    await expect(ensureDemo({ ...service.deps, ids: dying }, service.simulatorUrl)).rejects.toThrow('dies')
    const lost = readFileSync(file, 'utf8').trim()
    expect((await rowCounts(service)).shops).toBe(0)

    const { apiKey: made, isNew } = (await ensureDemo(service.deps, service.simulatorUrl))!
    expect(isNew).toBe(true)
    expect(made).toBe(readFileSync(file, 'utf8').trim())
    const counts = await rowCounts(service)
    expect(counts).toMatchObject({ shops: 1, api_keys: 1, orders: 300, customers: 60, news: 8, templates: 7 })
    await checkInvariants(service.deps.db)
    expect((await partnerOf(service, '', made).get('/api/external/v1/products')).status).toBe(200)
    expect((await partnerOf(service, '', lost).get('/api/external/v1/products')).status).toBe(401)
    expect(await ensureDemo(service.deps, service.simulatorUrl)).toEqual({ apiKey: made, isNew: false })
  })

  it('a key of elsewhere in the file opens nothing: the shop gets a key of its own', async () => {
    const ownDir = mkdtempSync(join(dataDir, 'stale-'))
    const service = await separateService({ dataDir: ownDir })
    const stale = newApiKey()
    writeFileSync(join(ownDir, 'demo-api-key'), stale)
    const made = await ensureDemo(service.deps, undefined)
    expect(made).not.toBe(stale)
    expect((await rowCounts(service)).orders).toBe(300)
    // Without a simulator nobody has reviewed them.
    const { rows } = await sql<{
      status: string
    }>`select distinct status from templates order by status`.execute(service.deps.db)
    expect(rows.map((row) => row.status)).toEqual(['DISABLE', 'DRAFT'])
  })
})

function isEan13(code: string): boolean {
  const sum = [...code].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return /^\d{13}$/.test(code) && sum % 10 === 0
}
