import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import {
  createProduct,
  insertCategory,
  listProducts,
  namesOfProducts,
  PRODUCTS,
  twoByTwo,
} from '../../support/products.ts'
import { makeShop, service, unusedId } from '../../support/service.ts'

const running = await service()
const { db } = running.database

type Named = { _id: string; name: string }

describe('E8 list products', () => {
  it('200 with the newest first, skuDrafts and the paging in meta; only this shop’s', async () => {
    const shop = await makeShop(running)
    await createProduct(await makeShop(running), { name: 'Foreign' })
    const first = await createProduct(shop, twoByTwo())
    const second = await createProduct(shop, { name: 'Mũ', description: '<b>x</b>', vat: 8 })
    const answer = await shop.get(PRODUCTS)
    const own = ({ skus, variants, itemVariants, ...record }: Record<string, unknown>) => record
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      data: {
        products: [own(second), own(first)],
        meta: { total: 2, totalPages: 1, currentPage: 1, limit: 10 },
      },
    })
  })

  it('200 pages of 10 unless limit says otherwise; past the end the total is still right', async () => {
    const shop = await makeShop(running)
    const made = []
    for (let n = 0; n < 12; n += 1) made.push((await createProduct(shop, { name: `P${n}` })).name)
    made.reverse()
    const page = async (query: Record<string, number>) => {
      const { products, meta } = await listProducts(shop, query)
      return { names: products.map((product: Named) => product.name), meta }
    }
    expect(await page({})).toEqual({
      names: made.slice(0, 10),
      meta: { total: 12, totalPages: 2, currentPage: 1, limit: 10 },
    })
    expect(await page({ page: 2 })).toEqual({
      names: made.slice(10),
      meta: { total: 12, totalPages: 2, currentPage: 2, limit: 10 },
    })
    expect(await page({ page: 3, limit: 5 })).toEqual({
      names: made.slice(10),
      meta: { total: 12, totalPages: 3, currentPage: 3, limit: 5 },
    })
    expect((await page({ limit: 50 })).names).toEqual(made)
    for (const far of [9, Number.MAX_SAFE_INTEGER]) {
      expect(await page({ page: far })).toEqual({
        names: [],
        meta: { total: 12, totalPages: 2, currentPage: far, limit: 10 },
      })
    }
  })

  it('200 with no products in an empty shop', async () => {
    const data = await listProducts(await makeShop(running))
    expect(data).toEqual({ products: [], meta: { total: 0, totalPages: 0, currentPage: 1, limit: 10 } })
  })

  it.each([
    ['limit=51', '"limit" must be less than or equal to 50'],
    ['limit=0', '"limit" must be greater than or equal to 1'],
    ['page=0', '"page" must be greater than or equal to 1'],
    ['page=-1', '"page" must be greater than or equal to 1'],
    ['page=1.5', '"page" must be an integer'],
    ['page=x', '"page" must be a number'],
    ['page=1e20', '"page" must be a safe number'],
    ['minPrice=x', '"minPrice" must be a number'],
    ['maxPrice=-1', '"maxPrice" must be greater than or equal to 0'],
    ['minPrice=1e20', '"minPrice" must be a safe number'],
    ['sortType=up', '"sortType" must be one of [asc, desc]'],
    [
      'select=skus,prices',
      '"select" must be a list of [skus, variants, category, wholesalePrices, subItemsGroups, skuImages]',
    ],
  ])('400 for %s (G-08)', async (query, message) => {
    const shop = await makeShop(running)
    const answer = await shop.get(`${PRODUCTS}?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.validation.query).toEqual({
      source: 'query',
      keys: [message.split('"')[1]],
      message,
    })
  })

  it.each(['category=x', 'warehouseId=1', 'category=%20'])('500 for %s (G-04)', async (query) => {
    const shop = await makeShop(running)
    const answer = await shop.get(`${PRODUCTS}?${query}`)
    expect(answer.status).toBe(500)
    expect(answer.body.message).toContain(query.split('=')[0])
  })

  it('200 and unknown parameters are ignored (G-08)', async () => {
    const shop = await makeShop(running)
    await createProduct(shop)
    expect((await listProducts(shop, { shopId: unusedId(), foo: 1 })).meta.total).toBe(1)
  })
})

describe('E8 filters', () => {
  it('200 by category; none for an unknown one and another shop’s', async () => {
    const shop = await makeShop(running)
    const other = await makeShop(running)
    const categoryId = await insertCategory(running, shop.shopId)
    const moved = await insertCategory(running, shop.shopId, 'Khác')
    const foreign = await insertCategory(running, other.shopId)
    await createProduct(other, { categoryId: foreign })
    await createProduct(shop, { name: 'A', categoryId })
    const b = await createProduct(shop, { name: 'B', categoryId })
    await createProduct(shop, { name: 'C' })
    expect(await namesOfProducts(shop, { category: categoryId })).toEqual(['A', 'B'])
    await shop.patch(`${PRODUCTS}/${b._id}`, { shopId: shop.shopId, categoryId: moved })
    expect(await namesOfProducts(shop, { category: categoryId })).toEqual(['A'])
    expect(await namesOfProducts(shop, { category: moved.toUpperCase() })).toEqual(['B'])
    expect(await namesOfProducts(shop, { category: foreign })).toEqual([])
    expect(await namesOfProducts(shop, { category: unusedId() })).toEqual([])
  })

  it('200 by price, both bounds included; a lower bound above the upper finds none', async () => {
    const shop = await makeShop(running)
    for (const price of [100, 200, 300]) await createProduct(shop, { name: `P${price}`, price })
    expect(await namesOfProducts(shop, { minPrice: 200 })).toEqual(['P200', 'P300'])
    expect(await namesOfProducts(shop, { maxPrice: 200 })).toEqual(['P100', 'P200'])
    expect(await namesOfProducts(shop, { minPrice: 200, maxPrice: 200 })).toEqual(['P200'])
    expect(await namesOfProducts(shop, { minPrice: 199.5, maxPrice: 299.5 })).toEqual(['P200'])
    expect(await namesOfProducts(shop, { minPrice: 201, maxPrice: 200 })).toEqual([])
    expect(await namesOfProducts(shop, { minPrice: Number.MAX_SAFE_INTEGER })).toEqual([])
  })

  it('200 by the whole barcode of a product or of one of its SKUs, with skus', async () => {
    const shop = await makeShop(running)
    const product = await createProduct(shop, { name: 'Whole', barcode: '8931' })
    await createProduct(shop, { ...twoByTwo(), name: 'By SKU' })
    await createProduct(await makeShop(running), { barcode: '555' })
    const { products, meta } = await listProducts(shop, { barcode: '8931' })
    expect(meta.total).toBe(1)
    expect(products[0]).toMatchObject({ name: 'Whole', skus: product.skus, skuDrafts: product.skuDrafts })
    expect(await namesOfProducts(shop, { barcode: '777' })).toEqual(['By SKU'])
    for (const barcode of ['893', '89310', '555', 'XL', "'"]) {
      expect(await namesOfProducts(shop, { barcode })).toEqual([])
    }
    const [selected] = (await listProducts(shop, { barcode: '777', select: 'category' })).products
    expect(selected.skus).toHaveLength(4)
    expect(selected).not.toHaveProperty('skuDrafts')
  })

  it('200 with filters together, for both the page and the total', async () => {
    const shop = await makeShop(running)
    const categoryId = await insertCategory(running, shop.shopId)
    await createProduct(shop, { name: 'Áo đỏ', price: 100, categoryId, barcode: '1' })
    await createProduct(shop, { name: 'Áo đỏ', price: 200, categoryId, barcode: '2' })
    await createProduct(shop, { name: 'Áo đỏ', price: 100, barcode: '3' })
    await createProduct(shop, { name: 'Mũ đỏ', price: 100, categoryId, barcode: '4' })
    const both = { search: 'ao', category: categoryId, maxPrice: 150 }
    expect((await listProducts(shop, both)).products).toMatchObject([{ barcode: '1' }])
    expect((await listProducts(shop, { ...both, barcode: '1' })).meta.total).toBe(1)
    expect((await listProducts(shop, { ...both, barcode: '2' })).meta.total).toBe(0)
    expect(
      (await listProducts(shop, { category: categoryId, minPrice: 100, limit: 1, page: 2 })).meta,
    ).toEqual({
      total: 3,
      totalPages: 3,
      currentPage: 2,
      limit: 1,
    })
    expect((await listProducts(shop, { search: 'đỏ', limit: 3, page: 2 })).meta.total).toBe(4)
    expect((await listProducts(shop, { search: 'đỏ', limit: 3, page: 2 })).products).toHaveLength(1)
    expect((await listProducts(shop, { search: 'đỏ', page: 5 })).meta.total).toBe(4)
  })
})

describe('E8 a price range that fits few or many', () => {
  it('200 and pages, order and total are right on both sides of 1000 matches', async () => {
    const shop = await makeShop(running)
    const categoryId = await insertCategory(running, shop.shopId)
    const rows = Array.from({ length: 1200 }, (_, n) => ({
      id: running.deps.ids.next(),
      name: `p${String((n * 7) % 400).padStart(3, '0')}`,
      price: (n * 11) % 1200,
      n,
    }))
    await sql`
      insert into products (shop_id, id, name, search, price, slug, category_id, sku_drafts, created_at, updated_at)
      select ${shop.shopId}, x.id, x.name, x.name, x.price, x.id, ${categoryId}, '{"variants": [], "skus": []}',
        timestamptz '2025-01-01' + (x.n % 500) * interval '1 minute', now()
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (id text, name text, price bigint, n integer)`.execute(
      db,
    )
    await sql`
      insert into product_stock (shop_id, product_id, total_quantity)
      select shop_id, id, price % 90 from products where shop_id = ${shop.shopId}`.execute(db)
    // As the service's own round does within ten seconds; before it, each of the lists below takes up to a second.
    await sql`analyze products, product_stock`.execute(db)
    const keys = {
      name: (row: { name: string }) => row.name,
      createdAt: (row: { n: number }) => String(row.n % 500).padStart(3, '0'),
      stock_quantity: (row: { price: number }) => String(row.price % 90).padStart(3, '0'),
    }
    for (const sortBy of ['name', 'createdAt', 'stock_quantity'] as const) {
      for (const minPrice of [1, 199, 200, 201, 900]) {
        const sortKey = (row: (typeof rows)[number]) => keys[sortBy](row) + row.id
        const expected = rows
          .filter((row) => row.price >= minPrice)
          .sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1))
        const filters: Record<string, string | number>[] = [
          { minPrice },
          { minPrice, maxPrice: 5000, category: categoryId },
        ]
        for (const filter of filters) {
          const { products, meta } = await listProducts(shop, { ...filter, sortBy, limit: 20, page: 3 })
          expect(meta).toMatchObject({
            total: 1200 - minPrice,
            totalPages: Math.ceil((1200 - minPrice) / 20),
          })
          expect(products.map((product: Named) => product._id)).toEqual(
            expected.slice(40, 60).map((row) => row.id),
          )
        }
      }
    }
  })
})
