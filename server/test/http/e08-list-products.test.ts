import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { receiveStock } from '../../src/modules/inventory/sql.ts'
import {
  insertCategory,
  insertParts,
  insertWarehouse,
  newProduct,
  PRODUCTS,
  twoByTwo,
} from '../support/products.ts'
import { makeShop, type Partner, service, unusedId } from '../support/service.ts'

const running = await service()
const { db } = running.database

type Named = { _id: string; name: string }

async function make(shop: Partner, overrides: Record<string, unknown> = {}) {
  return (await shop.post(PRODUCTS, newProduct(overrides))).body.data
}

async function list(shop: Partner, query: Record<string, string | number> = {}) {
  const text = new URLSearchParams(query as Record<string, string>)
  const answer = await shop.get(`${PRODUCTS}?${text}`)
  expect(answer.status).toBe(200)
  return answer.body.data
}

async function names(shop: Partner, query: Record<string, string | number>): Promise<string[]> {
  const { products, meta } = await list(shop, query)
  expect(meta.total).toBe(products.length)
  return products.map((product: Named) => product.name).sort()
}

describe('E8 list products', () => {
  it('200 with the newest first, skuDrafts and the paging in meta; only this shop’s', async () => {
    const shop = await makeShop(running)
    await make(await makeShop(running), { name: 'Foreign' })
    const first = await make(shop, twoByTwo())
    const second = await make(shop, { name: 'Mũ', description: '<b>x</b>', vat: 8 })
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

  it('200 pages by 10 unless limit says else; past the end the total still holds', async () => {
    const shop = await makeShop(running)
    const made = []
    for (let n = 0; n < 12; n += 1) made.push((await make(shop, { name: `P${n}` })).name)
    made.reverse()
    const page = async (query: Record<string, number>) => {
      const { products, meta } = await list(shop, query)
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
    const data = await list(await makeShop(running))
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
    ['barcode=', '"barcode" is not allowed to be empty'],
    ['sortType=up', '"sortType" must be one of [asc, desc]'],
    [
      'select=skus,prices',
      '"select" must be a list of [skus, variants, category, wholesalePrices, subItemsGroups]',
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

  it.each(['category=x', 'warehouseId=1', 'category='])('500 for %s (G-04)', async (query) => {
    const shop = await makeShop(running)
    const answer = await shop.get(`${PRODUCTS}?${query}`)
    expect(answer.status).toBe(500)
    expect(answer.body.message).toContain(query.split('=')[0])
  })

  it('200 and unknown parameters are ignored (G-08)', async () => {
    const shop = await makeShop(running)
    await make(shop)
    expect((await list(shop, { shopId: unusedId(), foo: 1 })).meta.total).toBe(1)
  })
})

describe('E8 filters', () => {
  it('200 by category; an unknown one and another shop’s have none', async () => {
    const shop = await makeShop(running)
    const other = await makeShop(running)
    const categoryId = await insertCategory(running, shop.shopId)
    const moved = await insertCategory(running, shop.shopId, 'Khác')
    const foreign = await insertCategory(running, other.shopId)
    await make(other, { categoryId: foreign })
    await make(shop, { name: 'A', categoryId })
    const b = await make(shop, { name: 'B', categoryId })
    await make(shop, { name: 'C' })
    expect(await names(shop, { category: categoryId })).toEqual(['A', 'B'])
    await shop.patch(`${PRODUCTS}/${b._id}`, { shopId: shop.shopId, categoryId: moved })
    expect(await names(shop, { category: categoryId })).toEqual(['A'])
    expect(await names(shop, { category: moved.toUpperCase() })).toEqual(['B'])
    expect(await names(shop, { category: foreign })).toEqual([])
    expect(await names(shop, { category: unusedId() })).toEqual([])
  })

  it('200 by price, both bounds included; a lower bound above the upper finds none', async () => {
    const shop = await makeShop(running)
    for (const price of [100, 200, 300]) await make(shop, { name: `P${price}`, price })
    expect(await names(shop, { minPrice: 200 })).toEqual(['P200', 'P300'])
    expect(await names(shop, { maxPrice: 200 })).toEqual(['P100', 'P200'])
    expect(await names(shop, { minPrice: 200, maxPrice: 200 })).toEqual(['P200'])
    expect(await names(shop, { minPrice: 199.5, maxPrice: 299.5 })).toEqual(['P200'])
    expect(await names(shop, { minPrice: 201, maxPrice: 200 })).toEqual([])
    expect(await names(shop, { minPrice: Number.MAX_SAFE_INTEGER })).toEqual([])
  })

  it('200 by the whole barcode of a product or of one of its SKUs, with skus', async () => {
    const shop = await makeShop(running)
    const product = await make(shop, { name: 'Whole', barcode: '8931' })
    await make(shop, { ...twoByTwo(), name: 'By SKU' })
    await make(await makeShop(running), { barcode: '555' })
    const { products, meta } = await list(shop, { barcode: '8931' })
    expect(meta.total).toBe(1)
    expect(products[0]).toMatchObject({ name: 'Whole', skus: product.skus, skuDrafts: product.skuDrafts })
    expect(await names(shop, { barcode: '777' })).toEqual(['By SKU'])
    for (const barcode of ['893', '89310', '555', 'XL', "'"]) {
      expect(await names(shop, { barcode })).toEqual([])
    }
    const [selected] = (await list(shop, { barcode: '777', select: 'category' })).products
    expect(selected.skus).toHaveLength(4)
    expect(selected).not.toHaveProperty('skuDrafts')
  })

  it('200 with filters together, on page and total alike', async () => {
    const shop = await makeShop(running)
    const categoryId = await insertCategory(running, shop.shopId)
    await make(shop, { name: 'Áo đỏ', price: 100, categoryId, barcode: '1' })
    await make(shop, { name: 'Áo đỏ', price: 200, categoryId, barcode: '2' })
    await make(shop, { name: 'Áo đỏ', price: 100, barcode: '3' })
    await make(shop, { name: 'Mũ đỏ', price: 100, categoryId, barcode: '4' })
    const both = { search: 'ao', category: categoryId, maxPrice: 150 }
    expect((await list(shop, both)).products).toMatchObject([{ barcode: '1' }])
    expect((await list(shop, { ...both, barcode: '1' })).meta.total).toBe(1)
    expect((await list(shop, { ...both, barcode: '2' })).meta.total).toBe(0)
    expect((await list(shop, { category: categoryId, minPrice: 100, limit: 1, page: 2 })).meta).toEqual({
      total: 3,
      totalPages: 3,
      currentPage: 2,
      limit: 1,
    })
    expect((await list(shop, { search: 'đỏ', limit: 3, page: 2 })).meta.total).toBe(4)
    expect((await list(shop, { search: 'đỏ', limit: 3, page: 2 })).products).toHaveLength(1)
    expect((await list(shop, { search: 'đỏ', page: 5 })).meta.total).toBe(4)
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
    const keys = {
      name: (row: { name: string }) => row.name,
      createdAt: (row: { n: number }) => String(row.n % 500).padStart(3, '0'),
    }
    for (const sortBy of ['name', 'createdAt'] as const) {
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
          const { products, meta } = await list(shop, { ...filter, sortBy, limit: 20, page: 3 })
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

describe('G-33 search', () => {
  it('200 for any words of the name in any order, without accents, case or whole words', async () => {
    const shop = await makeShop(running)
    await make(shop, { name: 'Áo dài lụa đỏ' })
    await make(shop, { name: 'Áo thun' })
    await make(await makeShop(running), { name: 'Áo dài' })
    for (const search of [
      'ao dai',
      'ĐỎ áo',
      'lua do dai ao',
      'LỤA',
      'Lụa'.normalize('NFD'),
      ' dài ',
      'lu do',
    ]) {
      expect(await names(shop, { search })).toEqual(['Áo dài lụa đỏ'])
    }
    expect(await names(shop, { search: 'o' })).toEqual(['Áo dài lụa đỏ', 'Áo thun'])
    expect(await names(shop, { search: 'áo vàng' })).toEqual([])
    expect(await names(shop, { search: ' ' })).toHaveLength(2)
    expect(await names(shop, { search: '' })).toHaveLength(2)
  })

  it('200 takes %, _ and \\ as they are', async () => {
    const shop = await makeShop(running)
    await make(shop, { name: 'Giảm 100% giá', itemSku: 'A_1' })
    await make(shop, { name: 'Giảm 1000 giá', itemSku: 'AB1' })
    expect(await names(shop, { search: '100%' })).toEqual(['Giảm 100% giá'])
    expect(await names(shop, { search: '%' })).toEqual(['Giảm 100% giá'])
    expect(await names(shop, { search: 'gi%m' })).toEqual([])
    expect(await names(shop, { search: 'a_' })).toEqual(['Giảm 100% giá'])
    expect(await names(shop, { search: '\\' })).toEqual([])
  })

  it('200 for the beginning of a code or barcode of a product or a SKU, in any case; each product once', async () => {
    const shop = await makeShop(running)
    await make(shop, { ...twoByTwo(), name: 'Xl áo', itemSku: 'Ao-99', barcode: '8930001' })
    await make(shop, { name: 'Mũ', itemSku: 'MU-1' })
    for (const search of ['ao-9', 'AO-99', ' Ao-', '8930', '8930001', '77', 'xl', 'XL']) {
      expect(await names(shop, { search })).toEqual(['Xl áo'])
    }
    expect(await names(shop, { search: 'o-99' })).toEqual([])
    expect(await names(shop, { search: '930001' })).toEqual([])
  })
})

describe('G-32 sortBy', () => {
  const FIELDS = ['createdAt', 'updatedAt', 'name', 'price', 'sortOrder', 'stock_quantity']

  it.each(FIELDS)('200 by %s in both directions, ties by id in the same direction', async (sortBy) => {
    const shop = await makeShop(running)
    const made: { _id: string; skus: { _id: string }[] }[] = []
    for (const [name, price] of [
      ['Đu đủ', 300],
      ['Ca', 100],
      ['Ổi', 200],
      ['ca', 100],
    ] as const) {
      made.push(await make(shop, { name, price }))
    }
    for (const [at, order] of [7, 3, null, 3].entries()) {
      await sql`
        update products
        set sort_order = ${order}::integer, updated_at = created_at + ${at % 2} * interval '1 hour'
        where shop_id = ${shop.shopId} and id = ${made[at]!._id}`.execute(db)
    }
    const items = [2, 5, 2].map((quantity, at) => ({
      id: running.deps.ids.next(),
      skuId: made[at]!.skus[0]!._id,
      quantity,
    }))
    await receiveStock(db, shop.shopId, { items, now: running.deps.clock.now() })
    const keyOf = (product: Record<string, unknown>) =>
      sortBy === 'name' ? (product.search as string) : (product[sortBy] as string | number)
    for (const sortType of ['asc', 'desc']) {
      const { products } = await list(shop, { sortBy, sortType })
      const expected = [...products].sort((a, b) => {
        const [left, right] = [keyOf(a), keyOf(b)]
        const order = left < right ? -1 : left > right ? 1 : a._id < b._id ? -1 : 1
        return sortType === 'asc' ? order : -order
      })
      expect(products.map((product: Named) => product._id)).toEqual(expected.map(({ _id }) => _id))
      const paged = []
      for (const page of [1, 2])
        paged.push(...(await list(shop, { sortBy, sortType, limit: 2, page })).products)
      expect(paged).toEqual(products)
      const searched = (await list(shop, { sortBy, sortType, search: '' })).products
      expect(searched).toEqual(products)
    }
    const found = (await list(shop, { sortBy, sortType: 'asc', search: 'ca' })).products
    expect(found.map((product: Named) => product._id)).toEqual(
      (await list(shop, { sortBy, sortType: 'asc', maxPrice: 100 })).products.map(({ _id }: Named) => _id),
    )
  })

  it('200 shows a null order as 0 and says so', async () => {
    const shop = await makeShop(running)
    await make(shop)
    expect((await list(shop)).products[0]).toMatchObject({ sortOrder: 0, isNullSortOrder: true })
    await sql`update products set sort_order = 0 where shop_id = ${shop.shopId}`.execute(db)
    expect((await list(shop)).products[0]).toMatchObject({ sortOrder: 0, isNullSortOrder: false })
  })

  it.each(['id', 'created_at', 'constructor', ''])('400 for sortBy=%s', async (sortBy) => {
    const shop = await makeShop(running)
    const answer = await shop.get(`${PRODUCTS}?sortBy=${sortBy}`)
    expect(answer.status).toBe(400)
    expect(answer.body.validation.query.message).toBe(`"sortBy" must be one of [${FIELDS.join(', ')}]`)
  })
})

describe('G-34 select', () => {
  const PARTS = [
    'skuDrafts',
    'skus',
    'itemVariants',
    'variants',
    'category',
    'wholesalePrices',
    'subItemsGroups',
  ]

  it.each([
    ['', ['skuDrafts']],
    ['skus', ['skus']],
    ['variants', ['itemVariants']],
    ['category', ['category']],
    ['wholesalePrices', ['wholesalePrices']],
    ['subItemsGroups', ['subItemsGroups']],
    ['skus, variants,category', ['skus', 'itemVariants', 'category']],
  ])('200 with select=%s carries %j and no other part', async (select, parts) => {
    const shop = await makeShop(running)
    await make(shop, twoByTwo())
    const [product] = (await list(shop, { select })).products
    expect(PARTS.filter((part) => part in product)).toEqual(parts)
  })

  it('200 with the current SKUs and groups, as E10 answered them', async () => {
    const shop = await makeShop(running)
    const made = await make(shop, twoByTwo())
    const simple = await make(shop)
    const { products } = await list(shop, { select: 'skus,variants' })
    expect(products).toMatchObject([
      { skus: simple.skus, itemVariants: [] },
      { skus: made.skus, itemVariants: made.itemVariants },
    ])
    expect((await list(shop, { select: 'variants' })).products[1].itemVariants).toEqual(made.itemVariants)
  })

  it('200 leaves out SKUs, groups and options that are not active', async () => {
    const shop = await makeShop(running)
    const made = await make(shop, twoByTwo())
    const [colour, size] = made.itemVariants
    const large = size.itemVariantOptions[1]
    for (const id of large.skuIDs) {
      await sql`update skus set is_active = false where shop_id = ${shop.shopId} and id = ${id}`.execute(db)
    }
    await sql`
      update variant_options set is_active = false where shop_id = ${shop.shopId} and id = ${large._id}`.execute(
      db,
    )
    await sql`
      update variant_groups set is_active = false where shop_id = ${shop.shopId} and id = ${colour._id}`.execute(
      db,
    )
    const [product] = (await list(shop, { select: 'skus,variants' })).products
    expect(product.skus.map((sku: Named) => sku.name)).toEqual(['Đỏ S', 'Xanh S'])
    expect(product.itemVariants).toMatchObject([{ name: 'Cỡ', itemVariantOptions: [{ name: 'S' }] }])
    expect(product.itemVariants[0].itemVariantOptions).toHaveLength(1)
  })

  it('200 with category, wholesalePrices and subItemsGroups; null and empty where there are none', async () => {
    const shop = await makeShop(running)
    const categoryId = await insertCategory(running, shop.shopId, 'Trà')
    const made = await make(shop, { categoryId })
    const parts = await insertParts(running, shop.shopId, made)
    await make(shop)
    const { products } = await list(shop, { select: 'category,wholesalePrices,subItemsGroups' })
    expect(products).toMatchObject([
      { category: null, wholesalePrices: [], subItemsGroups: [], subItemsGroupIds: [] },
      { ...parts, subItemsGroupIds: [parts.subItemsGroups[0]!._id] },
    ])
    expect(products[1].category).toEqual({
      _id: categoryId,
      id: categoryId,
      __v: 0,
      shopId: shop.shopId,
      name: 'Trà',
      slug: expect.any(String),
      description: '',
      image: '',
      parentId: null,
      sortOrder: 0,
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/\.\d{3}Z$/),
    })
  })
})

describe('G-36 stock', () => {
  it('200 with quantity less reserved over all warehouses; warehouseStock for the one named', async () => {
    const shop = await makeShop(running)
    const second = await insertWarehouse(running, shop.shopId)
    const made = await make(shop, twoByTwo())
    const [skuId, otherSkuId] = made.skus.map((sku: Named) => sku._id)
    const now = running.deps.clock.now()
    const item = (id: string, quantity: number) => ({ id: running.deps.ids.next(), skuId: id, quantity })
    await receiveStock(db, shop.shopId, { items: [item(skuId, 10), item(otherSkuId, 1)], now })
    await receiveStock(db, shop.shopId, { warehouseId: second, items: [item(skuId, 5)], now })
    await sql`
      update stock set reserved = 2
      where shop_id = ${shop.shopId} and sku_id = ${skuId} and warehouse_id = ${second}`.execute(db)
    await sql`
      update products set reserved_quantity = 2
      where shop_id = ${shop.shopId} and id = ${made._id}`.execute(db)

    const [product] = (await list(shop, { warehouseId: second.toUpperCase(), select: 'skus' })).products
    expect(product).toMatchObject({ stock_quantity: 14, totalQuantity: 16, reservedQuantity: 2 })
    expect(product.skus.map((sku: { stock_quantity: number }) => sku.stock_quantity)).toEqual([13, 1, 0, 0])
    const none = { warehouseId: second, quantity: 0, reserved: 0, available: 0 }
    expect(product.skus.map((sku: { warehouseStock: object }) => sku.warehouseStock)).toEqual([
      { warehouseId: second, quantity: 5, reserved: 2, available: 3 },
      none,
      none,
      none,
    ])
    const [plain] = (await list(shop, { select: 'skus' })).products
    expect(plain.skus[0]).not.toHaveProperty('warehouseStock')
  })

  it('200 with zeros for a warehouse that does not exist or is another shop’s; skus come without asking', async () => {
    const shop = await makeShop(running)
    const foreign = await insertWarehouse(running, (await makeShop(running)).shopId)
    await make(shop)
    for (const warehouseId of [unusedId(), foreign]) {
      const [product] = (await list(shop, { warehouseId })).products
      expect(product.skus).toMatchObject([
        { warehouseStock: { warehouseId, quantity: 0, reserved: 0, available: 0 } },
      ])
      expect(product).toHaveProperty('skuDrafts')
    }
  })
})
