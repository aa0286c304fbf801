import type { Essence } from '../../../components/concurrent-edits/compare.ts'
import { type ItemGroup, itemGroupsOf, withoutIds } from '../extras/item-groups.ts'
import type { Product } from '../product-queries.ts'
import { NO_OPENING, type Opening } from '../stock/opening.ts'
import { inOrder, type Tier, tiersOf } from '../variants/tier-rows.ts'
import { type Made, madeOf, rowsIn } from '../variants/variant-rows.ts'

/** The plain fields of a product's form. */
export type ProductFields = {
  name: string
  description: string
  price: number | null
  originPrice: number | null
  vat: number
  categoryId: string | null
  isActive: boolean
  itemSku: string
  barcode: string
  subItemsGroups: ItemGroup[]
}
/**
 * The lists of a product's form. They are kept separately because they are large: typing into a field does not render
 * them again. `opening` is only for a new product.
 */
export type ProductLists = { images: string[]; variants: Made; tiers: Tier[]; opening: Opening }
export type ProductValues = ProductFields & ProductLists

export function fieldsOf(product: Product | undefined): ProductFields {
  return {
    name: product?.name ?? '',
    description: product?.description ?? '',
    price: product?.price ?? null,
    originPrice: product?.originPrice ?? null,
    vat: product?.vat ?? 0,
    categoryId: product?.categoryId ?? null,
    isActive: product?.status !== 'inactive',
    itemSku: product?.itemSku ?? '',
    barcode: product?.barcode ?? '',
    subItemsGroups: itemGroupsOf(product?.subItemsGroups),
  }
}

export function valuesOf(product: Product | undefined): ProductValues {
  return {
    ...fieldsOf(product),
    images: product?.images ?? [],
    variants: madeOf(product),
    tiers: tiersOf(product),
    opening: NO_OPENING,
  }
}

/** The parts of the form, which messages about a partial save name. */
export const PARTS = {
  general: [
    'name',
    'description',
    'price',
    'originPrice',
    'vat',
    'categoryId',
    'isActive',
    'itemSku',
    'barcode',
  ],
  images: ['images'],
  variants: ['variants'],
  tiers: ['tiers'],
  subItems: ['subItemsGroups'],
  opening: ['opening'],
} as const satisfies Record<string, (keyof ProductValues)[]>
export type Part = keyof typeof PARTS

/** The compared values of the lists, without ids: the service gives new ids to entries that are sent without. */
export const essence: Essence<ProductValues> = {
  variants: (made) => [
    made.groups.map(({ name, options }) => [name, options.map(({ value }) => value)]),
    // A combination without input has the price of the product, whatever it is.
    rowsIn(made, 0).map(({ name, price, sku, barcode, images }) => [name, price, sku, barcode, images]),
  ],
  tiers: (list) => inOrder(list).map(({ key: _, _id: __, ...tier }) => tier),
  subItemsGroups: (list) => list.map(withoutIds),
  opening({ pieces, costs }) {
    const costOf = new Map(costs)
    return pieces.filter(([, count]) => count > 0).map(([key, count]) => [key, count, costOf.get(key)])
  },
}
