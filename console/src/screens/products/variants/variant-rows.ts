import { randomId } from '@shopbell/client'
import type { Product, Sku } from '../product-queries.ts'

/** `id` is the service's for existing records, otherwise one of ours. The service keeps the existing records. */
export type Option = { id: string; value: string }
export type Group = { id: string; name: string; options: Option[] }
/** The SKU fields of a combination of options; `_id` and `originPrice` are those of the existing SKU. */
export type SkuFields = {
  _id?: string
  price: number | null
  originPrice?: number
  sku: string
  barcode: string
  /** Addresses of images of the product. */
  images: string[]
}
/** The groups, and the SKU fields of their combinations by key. */
export type Made = { groups: Group[]; fields: [string, SkuFields][] }
/** A row of the matrix: one option of each group. */
export type VariantRow = SkuFields & { key: string; options: Option[]; name: string }

export const MAX_SKUS = 200

export function madeOf(product: Pick<Product, 'itemVariants' | 'skus'> | undefined): Made {
  return { groups: groupsOf(product), fields: fieldsOf(product) }
}

export function groupsOf(product: Pick<Product, 'itemVariants'> | undefined): Group[] {
  return (product?.itemVariants ?? [])
    .filter(({ isActive }) => isActive)
    .map(({ _id, name, itemVariantOptions }) => ({
      id: _id,
      name,
      options: itemVariantOptions
        .filter(({ isActive }) => isActive)
        .map((option) => ({ id: option._id, value: option.name })),
    }))
}

function fieldsOf(product: Pick<Product, 'skus'> | undefined): Made['fields'] {
  return activeSkus(product).map((sku) => [keyOf(sku.variantOptionIDs), skuFields(sku)])
}

export function activeSkus(product: Pick<Product, 'skus'> | undefined): Sku[] {
  return (product?.skus ?? []).filter(({ isActive }) => isActive)
}

function skuFields(sku: Sku): SkuFields {
  return {
    _id: sku._id,
    price: sku.price,
    ...(sku.originPrice === null ? {} : { originPrice: sku.originPrice }),
    sku: sku.sku,
    barcode: sku.barcode,
    images: sku.images ?? [],
  }
}

const keyOf = (optionIds: string[]) => [...optionIds].sort().join('/')

export function countRows(groups: Group[]): number {
  const filled = groups.filter(({ options }) => options.length > 0)
  return filled.length === 0 ? 0 : filled.reduce((count, { options }) => count * options.length, 1)
}

/** Every combination of one option per group with its SKU fields. A new combination starts with the product's price. */
export function rowsIn({ groups, fields }: Made, priceVnd: number): VariantRow[] {
  const known = new Map(fields)
  const filled = groups.filter(({ options }) => options.length > 0)
  if (filled.length === 0 || countRows(groups) > MAX_SKUS) return []
  const combinations = filled.reduce<Option[][]>(
    (rows, { options }) => rows.flatMap((row) => options.map((option) => [...row, option])),
    [[]],
  )
  return combinations.map((options) => {
    const key = keyOf(options.map(({ id }) => id))
    const fields = known.get(key) ?? { price: priceVnd, sku: '', barcode: '', images: [] }
    return { ...fields, key, options, name: options.map(({ value }) => value).join(' / ') }
  })
}

/** The same variants with other fields in some rows. */
export function withFields(made: Made, changes: Map<string, Partial<SkuFields>>, priceVnd: number): Made {
  const known = new Map(made.fields)
  for (const { key, options: _, name: __, ...fields } of rowsIn(made, priceVnd)) {
    const change = changes.get(key)
    if (change !== undefined) known.set(key, { ...fields, ...change })
  }
  return { ...made, fields: [...known] }
}

/** The options of a group after its words changed. A word that stays keeps its id. */
export function optionsFrom(words: string[], before: Option[]): Option[] {
  return words.map((value) => before.find((option) => option.value === value) ?? { id: newId(), value })
}

export const newId = () => `new-${randomId()}`

/** The request body: all groups and SKUs that the product will have. The SKUs of a new product get their images afterwards. */
export function variantsBody(made: Made, priceVnd: number) {
  return {
    variants: made.groups.filter(({ options }) => options.length > 0),
    skus: rowsIn(made, priceVnd).map(({ _id, name, price, originPrice, sku, barcode, options, images }) => ({
      ...(_id === undefined ? {} : { _id }),
      images,
      name,
      price: price ?? 0,
      ...(originPrice === undefined ? {} : { originPrice }),
      sku,
      barcode,
      variantOptionIds: options.map(({ id }) => id),
    })),
  }
}
