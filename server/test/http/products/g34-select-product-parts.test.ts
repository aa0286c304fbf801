import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { enter } from '../../support/inventory.ts'
import {
  createProduct,
  insertCategory,
  insertParts,
  insertWarehouse,
  listProducts,
  twoByTwo,
} from '../../support/products.ts'
import { makeShop, service, unusedId } from '../../support/service.ts'

const running = await service()
const { db } = running.database

type Named = { _id: string; name: string }

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
    await createProduct(shop, twoByTwo())
    const [product] = (await listProducts(shop, { select })).products
    expect(PARTS.filter((part) => part in product)).toEqual(parts)
  })

  it('200 with the current SKUs and groups, as E10 answered them', async () => {
    const shop = await makeShop(running)
    const made = await createProduct(shop, twoByTwo())
    const simple = await createProduct(shop)
    const { products } = await listProducts(shop, { select: 'skus,variants' })
    expect(products).toMatchObject([
      { skus: simple.skus, itemVariants: [] },
      { skus: made.skus, itemVariants: made.itemVariants },
    ])
    expect((await listProducts(shop, { select: 'variants' })).products[1].itemVariants).toEqual(
      made.itemVariants,
    )
  })

  it('200 leaves out SKUs, groups and options that are not active', async () => {
    const shop = await makeShop(running)
    const made = await createProduct(shop, twoByTwo())
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
    const [product] = (await listProducts(shop, { select: 'skus,variants' })).products
    expect(product.skus.map((sku: Named) => sku.name)).toEqual(['Đỏ S', 'Xanh S'])
    expect(product.itemVariants).toMatchObject([{ name: 'Cỡ', itemVariantOptions: [{ name: 'S' }] }])
    expect(product.itemVariants[0].itemVariantOptions).toHaveLength(1)
  })

  it('200 with category, wholesalePrices and subItemsGroups; null and empty where there are none', async () => {
    const shop = await makeShop(running)
    const categoryId = await insertCategory(running, shop.shopId, 'Trà')
    const made = await createProduct(shop, { categoryId })
    const parts = await insertParts(running, shop.shopId, made)
    await createProduct(shop)
    const { products } = await listProducts(shop, { select: 'category,wholesalePrices,subItemsGroups' })
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
    const made = await createProduct(shop, twoByTwo())
    const [skuId, otherSkuId] = made.skus.map((sku: Named) => sku._id)
    await enter(shop, 'receive', [
      [skuId, 10],
      [otherSkuId, 1],
    ])
    await enter(shop, 'receive', [[skuId, 5]], { warehouseId: second })
    await sql`
      update stock set reserved = 2
      where shop_id = ${shop.shopId} and sku_id = ${skuId} and warehouse_id = ${second}`.execute(db)
    await sql`
      update product_stock set reserved_quantity = 2
      where shop_id = ${shop.shopId} and product_id = ${made._id}`.execute(db)

    const [product] = (await listProducts(shop, { warehouseId: second.toUpperCase(), select: 'skus' }))
      .products
    expect(product).toMatchObject({ stock_quantity: 14, totalQuantity: 16, reservedQuantity: 2 })
    expect(product.skus.map((sku: { stock_quantity: number }) => sku.stock_quantity)).toEqual([13, 1, 0, 0])
    const none = { warehouseId: second, quantity: 0, reserved: 0, available: 0 }
    expect(product.skus.map((sku: { warehouseStock: object }) => sku.warehouseStock)).toEqual([
      { warehouseId: second, quantity: 5, reserved: 2, available: 3 },
      none,
      none,
      none,
    ])
    const [plain] = (await listProducts(shop, { select: 'skus' })).products
    expect(plain.skus[0]).not.toHaveProperty('warehouseStock')
  })

  it('200 with zeros for a warehouse that does not exist or is another shop’s; skus come without asking', async () => {
    const shop = await makeShop(running)
    const foreign = await insertWarehouse(running, (await makeShop(running)).shopId)
    await createProduct(shop)
    for (const warehouseId of [unusedId(), foreign]) {
      const [product] = (await listProducts(shop, { warehouseId })).products
      expect(product.skus).toMatchObject([
        { warehouseStock: { warehouseId, quantity: 0, reserved: 0, available: 0 } },
      ])
      expect(product).toHaveProperty('skuDrafts')
    }
  })
})
