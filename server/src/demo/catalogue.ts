import { OWN_EDIT } from '../lib/edit.ts'
import { lineName } from '../lib/line-name.ts'
import type { ObjectId } from '../lib/object-id.ts'
import { createCategory } from '../modules/categories/change-categories.ts'
import { createWarehouse } from '../modules/inventory/change-warehouses.ts'
import { recordEntry } from '../modules/inventory/record-entry.ts'
import { createProduct } from '../modules/products/create-product.ts'
import { noneSelected } from '../modules/products/rules.ts'
import { replaceSubItemsGroups } from '../modules/products/sub-items/replace-sub-items.ts'
import { replaceWholesalePrices } from '../modules/products/wholesale/replace-wholesale-prices.ts'
import { CATEGORIES, type DemoProduct, PRODUCTS } from './data.ts'
import type { Seeding } from './seeding.ts'

/** `name` is the SKU's name in an order line. */
export type DemoSku = {
  skuId: ObjectId
  productId: ObjectId
  name: string
  price: number
  vatBasisPoints: number
}
export type DemoCatalogue = { productIds: ObjectId[]; skus: DemoSku[] }

const DAY_MS = 86_400_000
/** Reads a product without its parts. */
const PLAIN = { select: noneSelected(), skuDrafts: false, warehouseId: undefined }

/** The unit cost of the demo's goods in đồng: some 60% of their price, in whole hundreds. */
export function demoUnitCost(price: number): number {
  return Math.round(price * 0.006) * 100
}

/** Seeds categories, products with their SKUs, tiers and sub-items, and two warehouses with their stock. */
export async function seedCatalogue(seeding: Seeding): Promise<DemoCatalogue> {
  const { trx, shopId, ids, opened, random, pictures, at } = seeding
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
      { id: ids.next(), ids, by: null, now: new Date(opened.getTime() + index * DAY_MS) },
    )
    productIds.push(made.id)
    for (const sku of made.skus ?? []) {
      const name = lineName({ name: sku.name, productName: wanted.name })
      const { price } = sku
      skus.push({ skuId: sku.id, productId: made.id, name, price, vatBasisPoints: made.vat_basis_points })
    }
  }
  const secondWarehouse = ids.next()
  const address = '12 Lê Lợi, Quận 1, TP. Hồ Chí Minh'
  await createWarehouse(at(opened), shopId, { name: 'Kho Sài Gòn', address }, secondWarehouse, null)
  const listed = new Date(opened.getTime() + PRODUCTS.length * DAY_MS)
  const receive = (warehouseId: ObjectId | undefined, pieces: () => number) =>
    recordEntry(
      at(listed),
      shopId,
      {
        type: 'receive',
        ...(warehouseId === undefined ? {} : { warehouseId }),
        supplier: 'Công ty TNHH Trà Bảo Lộc',
        items: skus.map((sku) => ({
          skuId: sku.skuId,
          quantity: pieces(),
          unitCost: demoUnitCost(sku.price),
        })),
        note: 'Nhập kho đầu kỳ',
      },
      ids.next(),
      null,
    )
  await receive(undefined, () => 40 + random(80))
  await receive(secondWarehouse, () => 10 + random(40))
  await seedTiers(seeding, skus, listed)
  const giftBox = productIds[PRODUCTS.findIndex((one) => one.name === 'Hộp quà trà và bánh')]!
  await seedSubItems(seeding, giftBox, listed)
  return { productIds, skus }
}

async function seedCategories({ shopId, ids, opened, at }: Seeding): Promise<Map<string, ObjectId>> {
  const made = new Map<string, ObjectId>()
  for (const [sortOrder, name] of CATEGORIES.entries()) {
    const { id } = await createCategory(at(opened), shopId, { name, sortOrder }, ids.next())
    made.set(name, id)
  }
  return made
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
async function seedTiers({ shopId, ids, at }: Seeding, skus: DemoSku[], now: Date): Promise<void> {
  const chosen = skus.filter((_, index) => index % 5 === 0)
  for (const [productId, ofProduct] of Map.groupBy(chosen, (sku) => sku.productId)) {
    const tiers = ofProduct.flatMap(({ skuId, price }) =>
      [10, 50].map((minQuantity) => ({
        skuId,
        minQuantity,
        price: Math.round((price * (minQuantity === 10 ? 0.95 : 0.9)) / 1000) * 1000,
      })),
    )
    await replaceWholesalePrices(at(now).db, shopId, productId, tiers, {
      ids,
      now,
      edit: OWN_EDIT,
      children: PLAIN,
    })
  }
}

/** A gift box with a choice of wrapping. */
async function seedSubItems({ shopId, ids, at }: Seeding, productId: ObjectId, now: Date): Promise<void> {
  const subItems = [
    { name: 'Giấy dó', price: 15_000 },
    { name: 'Vải lụa', price: 45_000 },
  ]
  const wrapping = { name: 'Giấy gói', isRequired: true, maxSelect: 1, subItems }
  await replaceSubItemsGroups(at(now).db, shopId, productId, [wrapping], {
    ids,
    now,
    edit: OWN_EDIT,
    children: PLAIN,
  })
}
