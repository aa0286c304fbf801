import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { RECORD_TYPES, TYPE_NAMES } from '../../src/modules/copies/record-types.ts'
import { deleteOldRecords } from '../../src/process/retention/retention.ts'
import { makeProduct } from '../http/orders/order-fixtures.ts'
import { hangUpWhileLocked } from '../support/hang-up.ts'
import { createProduct } from '../support/products.ts'
import {
  eventually,
  makeShop,
  manage,
  type Partner,
  partnerOf,
  service,
  unusedId,
} from '../support/service.ts'

const running = await service()
const { db } = running.deps
const EXPORTS = '/api/external/exports'

async function begin(shop: Partner, type: string) {
  const answer = await shop.post(EXPORTS, { type })
  expect(answer.status).toBe(202)
  return answer.body.data as { _id: string; url: string; cursor: string }
}

async function download(shop: Partner, url: string, headers: Record<string, string> = {}) {
  const answer = await running.app.inject({
    url,
    headers: { 'x-api-key': `service-partner ${shop.apiKey}`, ...headers },
  })
  const isPacked = answer.headers['content-encoding'] === 'gzip'
  const text = (isPacked ? gunzipSync(answer.rawPayload) : answer.rawPayload).toString()
  const lines =
    answer.statusCode === 200
      ? text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      : []
  return { status: answer.statusCode, headers: answer.headers, text, lines }
}

function fetchFile(shop: Partner, url: string, signal: AbortSignal): Promise<Response> {
  const { port } = running.app.server.address() as { port: number }
  return fetch(`http://127.0.0.1:${port}${url}`, {
    headers: { 'x-api-key': `service-partner ${shop.apiKey}`, 'accept-encoding': 'identity' },
    signal,
  })
}

/** Reads the beginning of a file over the network and leaves the rest waiting. */
async function openFile(shop: Partner, url: string) {
  const stop = new AbortController()
  const response = await fetchFile(shop, url, stop.signal)
  return { status: response.status, response, stop: () => stop.abort() }
}

/** Inserts so many customers that neither the sockets nor the process can buffer the file with them. */
async function insertCustomers(shop: Partner, count: number, note = 'Ghi chú'): Promise<void> {
  await sql`
    insert into customers (shop_id, id, full_name, note, search, created_at, updated_at)
    select ${shop.shopId}, lpad(to_hex(n), 24, '0'), 'Lan ' || n, ${note}, 'lan', now(), now()
    from generate_series(1, ${count}::integer) n`.execute(db)
}

describe('G-67 POST /api/external/exports and its file', () => {
  it('202 and 200 with every record of each type as the feed shows it, and a last line with their number', async () => {
    const shop = await makeShop(running)
    const { skuIds } = await makeProduct(running, shop, { skus: [{}, {}] })
    await createProduct(shop)
    const userId = (await shop.post('/api/external/v1/customers', { fullName: 'Lan' })).body.data._id
    await shop.post('/api/external/order/pos/create', {
      userId,
      orderItems: [{ id: skuIds[0], quantity: 1 }],
    })
    await shop.post('/api/external/news', { title: 'Khai trương', content: '<p>Bài</p>' })
    const counts: Record<string, number> = {}
    for (const type of TYPE_NAMES) {
      const { url } = await begin(shop, type)
      const { lines, headers } = await download(shop, url)
      expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
      const records = await RECORD_TYPES[type].read(db, shop.shopId, { after: undefined, limit: 1000 })
      expect(lines.slice(0, -1), type).toEqual(JSON.parse(JSON.stringify(records)))
      expect(lines.at(-1), type).toEqual({ end: true, count: records.length })
      counts[type] = records.length
    }
    expect(counts).toEqual({ product: 2, stock: 3, order: 1, customer: 1, news: 1 })
  })

  it('200 and all records over many chunks, compressed when asked, and none of another shop', async () => {
    const [shop, other] = [await makeShop(running), await makeShop(running)]
    await insertCustomers(shop, 1_001)
    await insertCustomers(other, 3)
    const { url } = await begin(shop, 'customer')
    const plain = await download(shop, url)
    expect(plain.lines.map(({ fullName }) => fullName)).toEqual([
      ...Array.from({ length: 1_001 }, (_, n) => `Lan ${n + 1}`),
      undefined,
    ])
    expect(plain.lines.at(-1)).toEqual({ end: true, count: 1_001 })
    const packed = await download(shop, url, { 'accept-encoding': 'br, gzip' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(packed.text).toBe(plain.text)
    for (const coding of ['gzip;q=0', 'br'])
      expect((await download(shop, url, { 'accept-encoding': coding })).headers).not.toHaveProperty(
        'content-encoding',
      )
  })

  it('200 and together with the changes after its cursor an exact copy, whatever happens in between', async () => {
    const shop = await makeShop(running)
    const products = [await createProduct(shop), await createProduct(shop)]
    const { url, cursor } = await begin(shop, 'product')
    await createProduct(shop)
    await shop.call('DELETE', `/api/external/v1/products/${products[0]._id}`)
    const { lines } = await download(shop, url)
    const copy = new Map(lines.slice(0, -1).map((record) => [record._id, record]))
    await shop.patch(`/api/external/v1/products/${products[1]._id}`, { shopId: shop.shopId, name: 'Mũ' })
    await createProduct(shop)
    const answer = await shop.get(`/api/external/changes?after=${cursor}&types=product`)
    expect(answer.body.data.meta.hasMore).toBe(false)
    for (const { id, op, data } of answer.body.data.changes) {
      if (op === 'delete') copy.delete(id)
      else copy.set(id, data)
    }
    const source = await RECORD_TYPES.product.read(db, shop.shopId, { after: undefined, limit: 100 })
    expect([...copy.values()].toSorted((a, b) => (a._id < b._id ? -1 : 1))).toEqual(
      JSON.parse(JSON.stringify(source)),
    )
  })

  it('429 EXPORTS_BUSY for a third at once, until one ends or its reader goes away; another shop reads on', async () => {
    const [shop, other] = [await makeShop(running), await makeShop(running)]
    await insertCustomers(shop, 10_000, 'x'.repeat(2_000))
    const { url } = await begin(shop, 'customer')
    const [first, second] = [await openFile(shop, url), await openFile(shop, url)]
    expect([first.status, second.status]).toEqual([200, 200])
    const third = await shop.get(url)
    expect(third).toMatchObject({ status: 429, body: { code: 'EXPORTS_BUSY' } })
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0)
    const { url: free } = await begin(other, 'product')
    expect((await download(other, free)).status).toBe(200)
    first.stop()
    await expect.poll(async () => (await openAndStop(shop, url)).status, { timeout: 10_000 }).toBe(200)
    expect((await second.response.text()).endsWith('{"end":true,"count":10000}\n')).toBe(true)
  }, 60_000)

  it('200 after callers that hung up while their export was being looked up', async () => {
    const shop = await makeShop(running)
    const { url } = await begin(shop, 'customer')
    await hangUpWhileLocked(running, { path: url, table: 'record_exports', count: 2 }, (signal) =>
      fetchFile(shop, url, signal),
    )
    await eventually(async () => (await openAndStop(shop, url)).status === 200)
  })

  it('breaks the response off when a later chunk fails, so that the end is missing', async () => {
    const shop = await makeShop(running)
    await insertCustomers(shop, 10_000, 'x'.repeat(2_000))
    const { url } = await begin(shop, 'customer')
    const { response } = await openFile(shop, url)
    await sql`alter table customers rename to customers_away`.execute(db)
    try {
      await expect(response.text()).rejects.toThrow()
    } finally {
      await sql`alter table customers_away rename to customers`.execute(db)
    }
  }, 60_000)

  it('403 naming the scope that a key lacks, for the export and for its file', async () => {
    const shop = await makeShop(running)
    const made = await manage(running, 'POST', `/shops/${shop.shopId}/keys`, {
      name: 'k',
      scopes: ['catalogue'],
    })
    const erp = partnerOf(running, shop.shopId, made.body.data.apiKey)
    expect((await erp.post(EXPORTS, { type: 'product' })).status).toBe(202)
    const refused = await erp.post(EXPORTS, { type: 'order' })
    expect(refused).toMatchObject({ status: 403, body: { code: 'SCOPE_MISSING' } })
    const { url } = await begin(shop, 'order')
    expect((await erp.get(url)).body.message).toContain('orders')
  })

  it('400 naming the type, 404 for an id that nothing or another shop has, and when its day is over', async () => {
    const [shop, other] = [await makeShop(running), await makeShop(running)]
    for (const body of [{}, { type: 'batch' }, { type: 'products' }]) {
      const answer = await shop.post(EXPORTS, body)
      expect([answer.status, answer.body.validation.body.keys]).toEqual([400, ['type']])
    }
    const { url, _id: id } = await begin(shop, 'product')
    expect((await other.get(url)).status).toBe(404)
    expect((await shop.get(`${EXPORTS}/${unusedId()}/file`)).status).toBe(404)
    await sql`
      update record_exports set created_at = now() - interval '24 hours' - interval '1 second'
      where shop_id = ${shop.shopId} and id = ${id}`.execute(db)
    expect((await shop.get(url)).status).toBe(404)
    expect(await deleteOldRecords(running.deps, 'exports')).toBeGreaterThanOrEqual(1)
  })

  it('202 and the same export when the request is repeated with its key', async () => {
    const shop = await makeShop(running)
    const send = () => shop.post(EXPORTS, { type: 'product' }, { 'idempotency-key': 'sync-1' })
    const [first, again] = [await send(), await send()]
    expect(again.body).toEqual(first.body)
  })
})

async function openAndStop(shop: Partner, url: string): Promise<{ status: number }> {
  const { status, stop } = await openFile(shop, url)
  stop()
  return { status }
}
