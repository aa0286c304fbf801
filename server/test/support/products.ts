import { sql } from 'kysely'
import { expect } from 'vitest'
import { fold } from '../../src/lib/text/fold.ts'
import { slugify } from '../../src/lib/text/slug.ts'
import type { Partner, Service } from './service.ts'

export const PRODUCTS = '/api/external/v1/products'

/** A valid body of E10. */
export function newProduct(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'Áo thun', price: 100000, ...overrides }
}

/** Creates a product (E10) and returns its record. */
export async function createProduct(shop: Partner, overrides: Record<string, unknown> = {}) {
  return (await shop.post(PRODUCTS, newProduct(overrides))).body.data
}

/** The `data` of a page of products (E8). Expects status 200. */
export async function listProducts(shop: Partner, query: Record<string, string | number> = {}) {
  const text = new URLSearchParams(query as Record<string, string>)
  const answer = await shop.get(`${PRODUCTS}?${text}`)
  expect(answer.status).toBe(200)
  return answer.body.data
}

/** The sorted names of all products that a query finds, which must fit on one page. */
export async function namesOfProducts(
  shop: Partner,
  query: Record<string, string | number>,
): Promise<string[]> {
  const { products, meta } = await listProducts(shop, query)
  expect(meta.total).toBe(products.length)
  return products.map((product: { name: string }) => product.name).sort()
}

/** Two groups of two options and their four SKUs. The last SKU names its options in the other order. */
export function twoByTwo() {
  const variants = [
    {
      id: 'colour',
      name: 'Màu',
      options: [
        { id: 'red', value: 'Đỏ' },
        { id: 'blue', value: 'Xanh' },
      ],
    },
    {
      id: 'size',
      name: 'Cỡ',
      options: [
        { id: 's', value: 'S' },
        { id: 'l', value: 'L' },
      ],
    },
  ]
  const skus = [
    { name: 'Đỏ S', price: 100000, variantOptionIds: ['red', 's'] },
    { name: 'Đỏ L', price: 110000, variantOptionIds: ['red', 'l'] },
    { name: 'Xanh S', price: 120000, variantOptionIds: ['blue', 's'] },
    {
      name: 'Xanh L',
      price: 130000,
      originPrice: 150000,
      sku: 'XL',
      barcode: '777',
      variantOptionIds: ['l', 'blue'],
    },
  ]
  return { variants, skus }
}

/** Inserts a category into the database and returns its id. */
export async function insertCategory(running: Service, shopId: string, name = 'Quần áo'): Promise<string> {
  const id = running.deps.ids.next()
  const now = running.deps.clock.now()
  await sql`
    insert into categories (shop_id, id, name, slug, created_at, updated_at)
    values (${shopId}, ${id}, ${name}, ${`${slugify(fold(name))}-${id}`}, ${now}, ${now})`.execute(
    running.database.db,
  )
  return id
}

/** Inserts another warehouse into the database and returns its id. */
export async function insertWarehouse(running: Service, shopId: string): Promise<string> {
  const id = running.deps.ids.next()
  const now = running.deps.clock.now()
  await sql`
    insert into warehouses (shop_id, id, name, created_at, updated_at)
    values (${shopId}, ${id}, 'Kho hai', ${now}, ${now})`.execute(running.database.db)
  return id
}

/** Inserts wholesale prices for the product's first SKU and a sub-items group. Returns them as records of the API. */
export async function insertParts(
  running: Service,
  shopId: string,
  product: { _id: string; skus: { _id: string }[] },
) {
  const { db } = running.database
  const next = running.deps.ids.next
  const skuId = product.skus[0]!._id
  const wholesalePrices = [
    { _id: next(), skuId, minQuantity: 10, price: 90000 },
    { _id: next(), skuId, minQuantity: 50, price: 80000 },
  ]
  const subItems = [
    { _id: next(), name: 'Trân châu', price: 5000 },
    { _id: next(), name: 'Thạch', price: 0 },
  ]
  const group = { _id: next(), name: 'Topping', isRequired: true, maxSelect: 2, subItems }
  for (const row of [...wholesalePrices].reverse()) {
    await sql`
      insert into wholesale_prices (shop_id, id, sku_id, min_quantity, price)
      values (${shopId}, ${row._id}, ${skuId}, ${row.minQuantity}, ${row.price})`.execute(db)
  }
  await sql`
    insert into sub_item_groups (shop_id, id, product_id, name, is_required, max_select)
    values (${shopId}, ${group._id}, ${product._id}, ${group.name}, true, 2)`.execute(db)
  for (const [position, item] of subItems.entries()) {
    await sql`
      insert into sub_items (shop_id, id, group_id, name, price, position)
      values (${shopId}, ${item._id}, ${group._id}, ${item.name}, ${item.price}, ${position})`.execute(db)
  }
  return { wholesalePrices, subItemsGroups: [group] }
}
