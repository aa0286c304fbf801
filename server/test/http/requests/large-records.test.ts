import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { firstImages } from '../../../src/db/fragments/first-images-sql.ts'
import { exportRecords } from '../../../src/modules/copies/exports/export-records.ts'
import { exportPerson } from '../../../src/modules/people/export-person.ts'
import { exportProducts } from '../../../src/modules/product-files/export/export-products.ts'
import { noneSelected } from '../../../src/modules/products/rules.ts'
import { listedProduct } from '../../../src/modules/products/sql/record-json.ts'
import { keyRow, ORDER, withKey } from '../../support/idempotency.ts'
import { createProduct } from '../../support/products.ts'
import { makeShop, manage, type Partner, service } from '../../support/service.ts'
import { countOrders } from '../orders/order-fixtures.ts'

const running = await service()
const { db } = running.deps
const PRODUCTS = '/api/external/v1/products'
const ORDERS = '/api/external/v1/orders'
const NEWS = '/api/external/news'
const MEGABYTE = 1_000_000

/** A product as it could be stored before its images were limited. */
async function makeHeavyProduct(shop: Partner, { count = 100, length = 2_000 } = {}) {
  const product = await createProduct(shop)
  const images = Array.from({ length: count }, (_, n) => `https://x.example/${n}/`.padEnd(length, 'a'))
  await sql`update products set images = ${JSON.stringify(images)}::jsonb where id = ${product._id}`.execute(
    db,
  )
  return { id: product._id as string, images }
}

/** A product with about as much of everything as can be stored. */
async function makeProductOfManyParts(shop: Partner) {
  const category = (
    await shop.post('/api/external/v1/categories', {
      name: `Nhóm ${Math.random()}`,
      description: 'k'.repeat(100_000),
    })
  ).body.data
  const options = Array.from({ length: 200 }, (_, n) => ({
    id: `o${n}`,
    value: `Cỡ ${n} ${'x'.repeat(300)}`,
  }))
  const { body } = await shop.post(PRODUCTS, {
    name: 'Áo',
    price: 1_000,
    description: '<b>"dài"</b>'.repeat(8_000),
    categoryId: category._id,
    variants: [{ id: 'g', name: 'Cỡ', options }],
    skus: options.map(({ id, value }) => ({ name: value, price: 1_000, variantOptionIds: [id] })),
  })
  const { id, skus } = body.data
  const prices = skus
    .slice(0, 100)
    .map((sku: { _id: string }) => ({ skuId: sku._id, minQuantity: 5, price: 900 }))
  await shop.put(`${PRODUCTS}/${id}/wholesale-prices`, { wholesalePrices: prices })
  const subItems = Array.from({ length: 200 }, (_, n) => ({ name: `Món ${n} ${'y'.repeat(300)}`, price: 1 }))
  await shop.put(`${PRODUCTS}/${id}/sub-items-groups`, {
    subItemsGroups: [{ name: 'Thêm', isRequired: false, maxSelect: 1, subItems }],
  })
  const images = Array.from({ length: 20 }, (_, n) => `https://x.example/${n}/`.padEnd(230, 'a'))
  await sql`update skus set images = ${JSON.stringify(images)}::jsonb where product_id = ${id}`.execute(db)
  return { id: id as string }
}

const ALL_PRODUCTS = {
  search: undefined,
  categoryId: undefined,
  minPrice: undefined,
  maxPrice: undefined,
  barcode: undefined,
}

const lines = (id: string, count: number, name?: string) => ({
  orderItems: Array.from({ length: count }, () => ({ id, quantity: 1, name })),
})
const bytesOf = (body: unknown) => Buffer.byteLength(JSON.stringify(body))

describe('decision 0060 what a record repeats of its products', () => {
  it('the first images that fit into a part’s share of a megabyte, all of them if they do', async () => {
    const image = fc.string({ unit: fc.constantFrom('a', '"', '\\', 'ế', '😀'), maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(image, { maxLength: 8 }),
        fc.integer({ min: 5_000, max: 100_000 }),
        async (images, parts) => {
          const { rows } = await sql<{ shown: string[] }>`
          select ${sql.raw(firstImages('v.images', 'v.parts'))} as shown
          from (values (${JSON.stringify(images)}::jsonb, ${parts}::bigint)) as v (images, parts)`.execute(db)
          const firsts = Array.from({ length: images.length + 1 }, (_, n) => images.slice(0, n))
          const fits = (some: string[]) => Buffer.byteLength(some.join('')) <= Math.floor(MEGABYTE / parts)
          expect(rows[0]!.shown).toEqual(firsts.findLast(fits))
        },
      ),
      { numRuns: 200 },
    )
  })

  it('E10, E12, E13, E14 lines show all images of a few lines and the first ones of many, all in the same way', async () => {
    const shop = await makeShop(running)
    const { id, images } = await makeHeavyProduct(shop)
    for (const [count, shown] of [
      [2, 100],
      [50, 10],
    ] as const) {
      const made = (await shop.post(ORDER, lines(id, count))).body.data
      const read = (await shop.get(`${ORDERS}/${made._id}`)).body.data
      const [listed] = (await shop.get(`${ORDERS}?limit=1`)).body.data.orders
      expect(read).toEqual(made)
      expect(listed.orderItems).toEqual(read.orderItems)
      expect(read.orderItems.at(-1).sku.item.images).toEqual(images.slice(0, shown))
      expect(bytesOf(read)).toBeLessThan(1.1 * MEGABYTE)
    }
  })

  it('G-51 an article’s products do the same', async () => {
    const shop = await makeShop(running)
    const ids = []
    for (let n = 0; n < 10; n++) ids.push((await makeHeavyProduct(shop)).id)
    const article = (await shop.post(NEWS, { title: 'Tin', content: 'a' })).body.data
    const shown = async () => {
      const { items } = (await shop.get(`${NEWS}/${article._id}`)).body.data
      return items.map((item: { images: string[] }) => item.images.length)
    }
    await shop.post(`${NEWS}/${article._id}/items`, { newsIds: ids.slice(0, 5) })
    expect(await shown()).toEqual(Array(5).fill(100))
    await shop.post(`${NEWS}/${article._id}/items`, { newsIds: ids })
    expect(await shown()).toEqual(Array(10).fill(50))
  })
})

describe('decision 0060 reading much', () => {
  /** Orders of about 1.2 MB each. */
  async function shopWithLongOrders(count: number) {
    const shop = await makeShop(running)
    const { id } = await makeHeavyProduct(shop, { length: 200 })
    for (let n = 0; n < count; n++) await shop.post(ORDER, lines(id, 50, 'ế'.repeat(500)))
    return shop
  }

  it('E12 400 naming a limit that fits, for a page larger than four megabytes; each page of that limit is answered', async () => {
    const shop = await shopWithLongOrders(5)
    const refused = await shop.get(`${ORDERS}?limit=50`)
    expect(refused.status).toBe(400)
    const { keys, message } = refused.body.validation.query
    expect(keys).toEqual(['limit'])
    const limit = Number(/less than or equal to (\d+)/.exec(message)![1])
    expect(limit).toBe(4)
    const pages = [1, 2].map((page) => shop.get(`${ORDERS}?limit=${limit}&page=${page}`))
    const shown = (await Promise.all(pages)).map(({ body }) => body.data.orders.length)
    expect(shown).toEqual([4, 1])
  })

  it('E8, E12, G-50 a page by cursor ends where a response does, and the next one goes on there: each record is shown once', async () => {
    const shop = await shopWithLongOrders(5)
    for (let n = 0; n < 5; n++) await makeProductOfManyParts(shop)
    for (let n = 0; n < 8; n++) await shop.post(NEWS, { title: `Bài ${n}`, content: 'x' })
    await sql`update news set content = repeat('ế', 200000) where shop_id = ${shop.shopId}`.execute(db)
    const walked = async (path: string, list: string) => {
      const pages: string[][] = []
      for (let cursor: string | null = '*'; cursor !== null; ) {
        const { body } = await shop.get(`${path}&cursor=${encodeURIComponent(cursor)}`)
        expect(bytesOf(body)).toBeLessThan(6 * MEGABYTE)
        pages.push(body.data[list].map(({ _id }: { _id: string }) => _id))
        cursor = body.data.meta.nextCursor
      }
      return pages
    }
    const idsOf = async (table: string) => {
      const { rows } = await sql<{ id: string }>`
        select id from ${sql.table(table)} where shop_id = ${shop.shopId} order by id desc`.execute(db)
      return rows.map(({ id }) => id)
    }
    const parts = 'select=skus,variants,skuImages,subItemsGroups,wholesalePrices,category'
    for (const [path, list, table, lengths] of [
      [`${PRODUCTS}?limit=50&sortBy=createdAt&sortType=desc&${parts}`, 'products', 'products', [3, 3]],
      [`${ORDERS}?limit=50`, 'orders', 'orders', [4, 1]],
      [`${NEWS}?limit=50`, 'news', 'news', [7, 1]],
    ] as const) {
      const pages = await walked(path, list)
      expect([list, pages.map((page) => page.length)]).toEqual([list, lengths])
      expect(pages.flat().toSorted().toReversed()).toEqual(await idsOf(table))
    }
    const ids = (await idsOf('orders')).join()
    expect((await walked(`${ORDERS}?ids=${ids}`, 'orders')).map((page) => page.length)).toEqual([4, 1])
    expect((await shop.get(`${ORDERS}?ids=${ids}`)).status).toBe(400)
  })

  it('E8 400 naming a limit that fits, for a page larger than four megabytes with the parts that are asked for', async () => {
    const shop = await makeShop(running)
    for (let n = 0; n < 5; n++) await makeProductOfManyParts(shop)
    const parts = 'select=skus,variants,skuImages,subItemsGroups,wholesalePrices,category'
    const refused = await shop.get(`${PRODUCTS}?limit=50&${parts}`)
    expect([refused.status, refused.body.validation?.query.keys]).toEqual([400, ['limit']])
    const limit = Number(/less than or equal to (\d+)/.exec(refused.body.validation.query.message)![1])
    const fitting = await shop.get(`${PRODUCTS}?limit=${limit}&${parts}`)
    expect([fitting.status, fitting.body.data.products.length]).toEqual([200, limit])
    expect(bytesOf(fitting.body)).toBeGreaterThan(3 * MEGABYTE)
    expect(bytesOf(fitting.body)).toBeLessThan(5.5 * MEGABYTE)
    const short = await shop.get(`${PRODUCTS}?limit=50&select=category`)
    expect([short.status, short.body.data.products.length]).toEqual([200, 5])
  })

  it('E8 about how many bytes a record has is known before it is written, whatever its parts', async () => {
    const shop = await makeShop(running)
    const { id: many } = await makeProductOfManyParts(shop)
    const { _id: plain } = await createProduct(shop)
    await sql`update products set description = repeat(e'\u0001"<', 30000) where id = ${plain}`.execute(db)
    const none = noneSelected()
    const sets = [
      ...Object.keys(none).map((part) => ({
        ...none,
        [part]: true,
        skus: part === 'skuImages' || part === 'skus',
      })),
      none,
    ]
    for (const [id, select] of [many, plain].flatMap((one) => sets.map((each) => [one, each] as const))) {
      const { record, bytes } = listedProduct({ select, skuDrafts: false, warehouseId: undefined })
      const { rows } = await sql<{ real: number; foretold: number }>`
        select octet_length(${record}) as real, ${bytes} as foretold
        from products p
        join product_stock totals on totals.shop_id = p.shop_id and totals.product_id = p.id
        where p.id = ${id}`.execute(db)
      const ratio = rows[0]!.foretold / rows[0]!.real
      expect(ratio, JSON.stringify({ select, ...rows[0] })).toBeGreaterThan(0.7)
      expect(ratio, JSON.stringify({ select, ...rows[0] })).toBeLessThan(1.6)
    }
  })

  it('G-40, G-66, G-67 exports and the feed have every long order once', async () => {
    const shop = await makeShop(running)
    const { body } = await shop.get('/api/external/changes')
    let after = body.data.meta.nextCursor as string
    const { id } = await makeHeavyProduct(shop, { length: 200 })
    const ids: string[] = []
    for (let n = 0; n < 4; n++)
      ids.push((await shop.post(ORDER, lines(id, 50, 'ế'.repeat(500)))).body.data._id)

    const csv: string = (await shop.get(`${ORDERS}/export`)).body
    expect(csv.match(/"[0-9a-f]{24}","DH/g)!.map((start) => start.slice(1, 25))).toEqual(ids.toReversed())

    const { url } = (await shop.post('/api/external/exports', { type: 'order' })).body.data
    const file: string = (await shop.get(url)).body
    const records = file
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(records.map(({ _id, count }) => _id ?? count)).toEqual([...ids.toSorted(), 4])

    for await (const piece of exportRecords(db, shop.shopId, 'order')) {
      expect(piece.length).toBeLessThan(2.5 * MEGABYTE)
    }

    const fed: string[] = []
    for (let hasMore = true; hasMore; ) {
      const page = await shop.get(
        `/api/external/changes?limit=500&types=order&after=${encodeURIComponent(after)}`,
      )
      fed.push(...page.body.data.changes.map((change: { id: string }) => change.id))
      expect(bytesOf(page.body)).toBeLessThan(6 * MEGABYTE)
      ;({ nextCursor: after, hasMore } = page.body.data.meta)
    }
    expect(fed).toEqual(ids)
  })

  it('G-37 the products’ CSV has every SKU once, in pieces of some 50,000 characters, though each line repeats its product’s texts', async () => {
    const shop = await makeShop(running)
    const skus: string[] = []
    for (let n = 0; n < 2; n++) {
      const { id } = await makeProductOfManyParts(shop)
      const { body } = await shop.get(`${PRODUCTS}/${id}`)
      skus.push(...body.data.skus.map((sku: { _id: string }) => sku._id))
    }
    const pieces = await Array.fromAsync(exportProducts(db, shop.shopId, ALL_PRODUCTS, undefined))
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(0.2 * MEGABYTE)
    const file = pieces.join('')
    expect(file.length).toBeGreaterThan(33 * MEGABYTE)
    const lines: { skuId: string }[] = parse(file, { bom: true, columns: true })
    expect(lines.map(({ skuId }) => skuId)).toEqual(skus)
  }, 60_000)

  it('G-78 what is held about one person comes in pieces of about a megabyte; the audit log knows of it before the first', async () => {
    const shop = await makeShop(running)
    const customer = (await shop.post('/api/external/v1/customers', { fullName: 'Lan', phone: '0912000789' }))
      .body.data
    const { id } = await makeHeavyProduct(shop, { length: 200 })
    const ordered: string[] = []
    for (let n = 0; n < 6; n++) {
      const body = { ...lines(id, 50, 'ế'.repeat(500)), userId: customer._id }
      ordered.push((await shop.post(ORDER, body)).body.data._id)
    }
    const origin = {
      actor: 'operator',
      actorId: null,
      requestId: running.deps.ids.next(),
      address: '',
    } as const
    const pieces = exportPerson(running.deps, shop.shopId, '84912000789', origin)
    const first = (await pieces.next()).value
    const { body } = await manage(running, 'GET', `/shops/${shop.shopId}/audit?action=person.export`)
    expect(body.data[0].detail).toEqual({ orders: 6, messages: 0 })
    const rest = await Array.fromAsync(pieces)
    expect(Math.max(...rest.map((piece) => piece.length))).toBeLessThan(2.5 * MEGABYTE)
    const { data } = JSON.parse([first, ...rest].join(''))
    expect(data.orders.map(({ _id }: { _id: string }) => _id)).toEqual(ordered.toSorted())
    const read = (await shop.get(`${ORDERS}/${ordered[0]}`)).body.data
    const exported = data.orders.find(({ _id }: { _id: string }) => _id === ordered[0])
    expect(exported).toEqual({ ...read, timeline: [expect.objectContaining({ kind: 'created' })] })
  })

  it('G-50 400 naming a limit that fits, for a list of long articles', async () => {
    const shop = await makeShop(running)
    for (let n = 0; n < 8; n++) await shop.post(NEWS, { title: `Bài ${n}`, content: 'x' })
    await sql`update news set content = repeat('ế', 200000) where shop_id = ${shop.shopId}`.execute(db)
    const refused = await shop.get(`${NEWS}?limit=8`)
    expect([refused.status, refused.body.validation?.query.keys]).toEqual([400, ['limit']])
    const { status, body } = await shop.get(`${NEWS}?limit=7`)
    expect([status, body.data.news.length, body.data.meta.total]).toEqual([200, 7, 8])
  })

  it('G-10 200 with the same order for a repeated sale whose response is too long to be stored', async () => {
    const shop = await makeShop(running)
    const { id } = await makeHeavyProduct(shop, { length: 200 })
    const sell = () => shop.post(ORDER, lines(id, 60, 'x'.repeat(500)), withKey('long'))
    const [first, again] = [await sell(), await sell()]
    expect(bytesOf(first.body)).toBeGreaterThan(MEGABYTE)
    expect([again.status, again.body.data]).toEqual([200, first.body.data])
    expect(await countOrders(shop)).toBe(1)
    expect((await keyRow(db, shop.shopId, 'long')).body).toBeNull()
    const other = await shop.post(ORDER, lines(id, 1), withKey('long'))
    expect(other.status).toBe(422)
  })
})
