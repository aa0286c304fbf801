import { randomId } from '@shopbell/client'
import type { Product, Sku } from '../product-queries.ts'

/** `id` is the service's for existing records, else one of ours; the service keeps the existing ones. */
export type Option = { id: string; value: string }
export type Group = { id: string; name: string; options: Option[] }
/** The SKU fields of a combination of options; `_id` and `originPrice` are those of the existing SKU. */
export type SkuFields = {
  _id?: string
  price: number | null
  originPrice?: number
  sku: string
  barcode: string
}
/** A row of the matrix: one option of each group. */
export type VariantRow = SkuFields & { key: string; options: Option[]; name: string }

export const MAX_SKUS = 200

export function groupsOf(product: Pick<Product, 'itemVariants'>): Group[] {
  return (product.itemVariants ?? [])
    .filter(({ isActive }) => isActive)
    .map(({ _id, name, itemVariantOptions }) => ({
      id: _id,
      name,
      options: itemVariantOptions
        .filter(({ isActive }) => isActive)
        .map((option) => ({ id: option._id, value: option.name })),
    }))
}

/** The SKU fields of each combination, by its key. */
export function fieldsOf(product: Pick<Product, 'skus'>): Map<string, SkuFields> {
  return new Map(activeSkus(product).map((sku) => [keyOf(sku.variantOptionIDs), skuFields(sku)]))
}

export function activeSkus(product: Pick<Product, 'skus'>): Sku[] {
  return (product.skus ?? []).filter(({ isActive }) => isActive)
}

function skuFields(sku: Sku): SkuFields {
  return {
    _id: sku._id,
    price: sku.price,
    ...(sku.originPrice === null ? {} : { originPrice: sku.originPrice }),
    sku: sku.sku,
    barcode: sku.barcode,
  }
}

const keyOf = (optionIds: string[]) => [...optionIds].sort().join('/')

export function countRows(groups: Group[]): number {
  const filled = groups.filter(({ options }) => options.length > 0)
  return filled.length === 0 ? 0 : filled.reduce((count, { options }) => count * options.length, 1)
}

/** Every combination of one option per group with its SKU fields; a new one starts at the product's price. */
export function rowsOf(groups: Group[], known: Map<string, SkuFields>, priceVnd: number): VariantRow[] {
  const filled = groups.filter(({ options }) => options.length > 0)
  if (filled.length === 0 || countRows(groups) > MAX_SKUS) return []
  const combinations = filled.reduce<Option[][]>(
    (rows, { options }) => rows.flatMap((row) => options.map((option) => [...row, option])),
    [[]],
  )
  return combinations.map((options) => {
    const key = keyOf(options.map(({ id }) => id))
    const fields = known.get(key) ?? { price: priceVnd, sku: '', barcode: '' }
    return { ...fields, key, options, name: options.map(({ value }) => value).join(' / ') }
  })
}

/** The options of a group after its words changed; a word that stays keeps its id. */
export function optionsFrom(words: string[], before: Option[]): Option[] {
  return words.map((value) => before.find((option) => option.value === value) ?? { id: newId(), value })
}

export const newId = () => `new-${randomId()}`

/** The service's body: all groups and SKUs that the product has from now on. */
export function variantsBody(groups: Group[], rows: VariantRow[]) {
  return {
    variants: groups.filter(({ options }) => options.length > 0),
    skus: rows.map(({ _id, name, price, originPrice, sku, barcode, options }) => ({
      ...(_id === undefined ? {} : { _id }),
      name,
      price: price ?? 0,
      ...(originPrice === undefined ? {} : { originPrice }),
      sku,
      barcode,
      variantOptionIds: options.map(({ id }) => id),
    })),
  }
}
