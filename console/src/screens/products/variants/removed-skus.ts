import type { Product, Sku } from '../product-queries.ts'
import { activeSkus, type Made, rowsIn, type VariantRow } from './variant-rows.ts'

type Parts = Pick<Product, 'skus' | 'itemVariants'>

/** The SKUs that the product no longer has once the variants are saved. */
export function removedSkus(product: Parts, made: Made): Sku[] {
  const kept = new Set(rowsIn(made, 0).map(({ _id }) => _id))
  return activeSkus(product).filter(({ _id }) => !kept.has(_id))
}

/**
 * The new variants that take over removed SKUs with their stock, by the SKU's id: one with the same options, otherwise the
 * first one that adds options to the SKU's or lacks some of them. Each takes over one SKU.
 */
export function heirsOf(skus: Sku[], product: Parts, made: Made): Map<string, VariantRow> {
  const free = new Set(rowsIn(made, 0).filter(({ _id }) => _id === undefined))
  const heirs = new Map<string, VariantRow>()
  for (const fits of [isSameVariant, isPartOf]) {
    for (const sku of skus) {
      const heir = heirs.has(sku._id) ? undefined : [...free].find((row) => fits(sku, row, product))
      if (heir === undefined) continue
      heirs.set(sku._id, heir)
      free.delete(heir)
    }
  }
  return heirs
}

/** Whether a new variant has the options of a SKU, as when one was removed and typed again. */
export function isSameVariant(sku: Sku, row: VariantRow, product: Parts): boolean {
  const [before, after] = [wordsOf(sku, product), row.options.map(({ value }) => value)]
  return isWithin(before, after) && isWithin(after, before)
}

function isPartOf(sku: Sku, row: VariantRow, product: Parts): boolean {
  const [before, after] = [wordsOf(sku, product), row.options.map(({ value }) => value)]
  return isWithin(before, after) || isWithin(after, before)
}

function wordsOf({ variantOptionIDs }: Sku, { itemVariants }: Parts): string[] {
  const options = (itemVariants ?? []).flatMap(({ itemVariantOptions }) => itemVariantOptions)
  return options.filter(({ _id }) => variantOptionIDs.includes(_id)).map(({ name }) => name)
}

const isWithin = (some: string[], all: string[]) => some.every((word) => all.includes(word))

/** The variants with the removed options and groups restored from the saved ones, keeping what was added since. */
export function withOptionsOf(saved: Made, made: Made): Made {
  const again = saved.groups.map((group) => {
    const now = made.groups.find(({ id }) => id === group.id)
    if (now === undefined) return group
    const added = now.options.filter(({ value }) => !group.options.some((option) => option.value === value))
    return { ...now, options: [...group.options, ...added] }
  })
  const added = made.groups.filter(({ id }) => !saved.groups.some((group) => group.id === id))
  return { ...made, groups: [...again, ...added] }
}
