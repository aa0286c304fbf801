import { sql } from 'kysely'
import type { ObjectId } from '../lib/object-id.ts'
import { slugify } from '../lib/slug.ts'
import { receiveStock } from '../modules/inventory/sql/movements.ts'
import { lineName } from '../modules/orders/rules.ts'
import { createProduct } from '../modules/products/create-product.ts'
import { CATEGORIES, type DemoProduct, PRODUCTS } from './data.ts'
import type { Seeding } from './seeding.ts'

/** `name` is what an order line of it is called. */
export type DemoSku = {
  skuId: ObjectId
  productId: ObjectId
  name: string
  price: number
  vatBasisPoints: number
}
export type DemoCatalogue = { productIds: ObjectId[]; skus: DemoSku[]; warehouseId: ObjectId }

const DAY_MS = 86_400_000

/** Categories, products with their SKUs, tiers, sub-items, two warehouses and their stock. */
export async function seedCatalogue(seeding: Seeding): Promise<DemoCatalogue> {
  const { trx, shopId, ids, opened, random, pictures } = seeding
  const categoryIds = await seedCategories(seeding)
  const productIds: ObjectId[] = []
  const skus: DemoSku[] = []
  for (const [index, wanted] of PRODUCTS.entries()) {
    const made = await createProduct(
      trx,
      shopId,
      {
        name: wanted.name,
        description: wanted.description,
        price: wanted.price,
        originPrice: Math.round((wanted.price * 1.2) / 1000) * 1000,
        vat: wanted.vat,
        categoryId: categoryIds.get(wanted.category)!,
        images: [pictures.product(wanted.category, index)],
        itemSku: `MOC${String(index + 1).padStart(3, '0')}`,
        barcode: barcode(index, 0),
        ...combinations(wanted, index),
      },
      { id: ids.next(), ids, now: new Date(opened.getTime() + index * DAY_MS) },
    )
    productIds.push(made.id)
    for (const sku of made.skus ?? []) {
      const name = lineName({ name: sku.name, productName: wanted.name })
      const { price } = sku
      skus.push({ skuId: sku.id, productId: made.id, name, price, vatBasisPoints: made.vat_basis_points })
    }
  }
  const secondWarehouse = ids.next()
  await sql`
    insert into warehouses (shop_id, id, name, address, created_at, updated_at)
    values (${shopId}, ${secondWarehouse}, 'Kho Sài Gòn', '12 Lê Lợi, Quận 1, TP. Hồ Chí Minh', ${opened}, ${opened})`.execute(
    trx,
  )
  const receive = (warehouseId: ObjectId | undefined, pieces: () => number) =>
    receiveStock(trx, shopId, {
      ...(warehouseId === undefined ? {} : { warehouseId }),
      items: skus.map((sku) => ({ id: ids.next(), skuId: sku.skuId, quantity: pieces() })),
      note: 'Nhập kho đầu kỳ',
      now: new Date(opened.getTime() + PRODUCTS.length * DAY_MS),
    })
  await receive(undefined, () => 40 + random(80))
  await receive(secondWarehouse, () => 10 + random(40))
  await seedTiers(seeding, skus)
  await seedSubItems(seeding, productIds[PRODUCTS.findIndex((one) => one.name === 'Hộp quà trà và bánh')]!)
  const { rows } = await sql<{ id: ObjectId }>`
    select id
    from warehouses
    where shop_id = ${shopId} and is_default`.execute(trx)
  return { productIds, skus, warehouseId: rows[0]!.id }
}

async function seedCategories({ trx, shopId, ids, opened }: Seeding): Promise<Map<string, ObjectId>> {
  const categories = CATEGORIES.map((name, index) => ({
    id: ids.next(),
    name,
    slug: slugify(name),
    sort_order: index,
  }))
  await sql`
    insert into categories (shop_id, id, name, slug, sort_order, created_at, updated_at)
    select ${shopId}, c.id, c.name, c.slug, c.sort_order, ${opened}::timestamptz, ${opened}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(categories)}::jsonb) as c (id text, name text, slug text, sort_order integer)`.execute(
    trx,
  )
  return new Map(categories.map((category) => [category.name, category.id]))
}

/** The groups of a product and a SKU for every combination of their options. */
function combinations(wanted: DemoProduct, index: number) {
  const groups = Object.entries(wanted.variants ?? {})
  if (groups.length === 0) return {}
  const variants = groups.map(([name, options], group) => ({
    id: `g${group}`,
    name,
    options: options.map((value, option) => ({ id: `g${group}o${option}`, value })),
  }))
  const chosen = variants.reduce<{ id: string; value: string }[][]>(
    (rows, group) => rows.flatMap((row) => group.options.map((option) => [...row, option])),
    [[]],
  )
  const skus = chosen.map((options, number) => ({
    name: options.map((option) => option.value).join(' / '),
    price: wanted.price + number * 5_000,
    sku: `MOC${String(index + 1).padStart(3, '0')}-${number + 1}`,
    barcode: barcode(index, number + 1),
    variantOptionIds: options.map((option) => option.id),
  }))
  return { variants, skus }
}

/** An EAN-13 with its check digit; `sku` is 0 for the product itself. */
function barcode(product: number, sku: number): string {
  const digits = `893850${String(product + 1).padStart(3, '0')}${String(sku).padStart(3, '0')}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** Wholesale prices on every fifth SKU. */
async function seedTiers({ trx, shopId, ids }: Seeding, skus: DemoSku[]): Promise<void> {
  const tiers = skus
    .filter((_, index) => index % 5 === 0)
    .flatMap((sku) =>
      [10, 50].map((minimum) => ({
        id: ids.next(),
        sku_id: sku.skuId,
        min_quantity: minimum,
        price: Math.round((sku.price * (minimum === 10 ? 0.95 : 0.9)) / 1000) * 1000,
      })),
    )
  await sql`
    insert into wholesale_prices (shop_id, id, sku_id, min_quantity, price)
    select ${shopId}, t.id, t.sku_id, t.min_quantity, t.price
    from jsonb_to_recordset(${JSON.stringify(tiers)}::jsonb)
      as t (id text, sku_id text, min_quantity integer, price bigint)`.execute(trx)
}

/** A gift box with a choice of wrapping. */
async function seedSubItems({ trx, shopId, ids }: Seeding, productId: ObjectId): Promise<void> {
  const groupId = ids.next()
  await sql`
    insert into sub_item_groups (shop_id, id, product_id, name, is_required, max_select)
    values (${shopId}, ${groupId}, ${productId}, 'Giấy gói', true, 1)`.execute(trx)
  await sql`
    insert into sub_items (shop_id, id, group_id, name, price, position)
    values (${shopId}, ${ids.next()}, ${groupId}, 'Giấy dó', 15000, 0),
      (${shopId}, ${ids.next()}, ${groupId}, 'Vải lụa', 45000, 1)`.execute(trx)
}
