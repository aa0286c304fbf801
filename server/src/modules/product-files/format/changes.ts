import { toPercent } from '../../../lib/amounts/vat.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { nextSlug, type SentVariant } from '../../products/rules.ts'
import type { SentVariants } from '../../products/variants/rules.ts'
import type { KnownProduct, Pair, WantedProduct, WantedSku } from './wanted-product.ts'

/** Whether a product already has the values of its lines. */
export function isUnchanged(
  wanted: WantedProduct,
  known: KnownProduct,
  categoryId: ObjectId | null,
): boolean {
  return (
    !hasNewFields(wanted, known, categoryId) &&
    !hasNewVariants(wanted) &&
    wanted.skus.every((sku) => isSkuUnchanged(sku, known))
  )
}

/** Whether a SKU of the product already has the values of its line. */
export function isSkuUnchanged(wanted: WantedSku, known: KnownProduct): boolean {
  const now = known.skus.find((sku) => sku.id === wanted.id)
  return (
    now !== undefined &&
    now.name === wanted.name &&
    now.price === wanted.price &&
    now.origin_price === wanted.originPrice &&
    now.code === wanted.code &&
    now.barcode === wanted.barcode
  )
}

function hasNewFields(wanted: WantedProduct, known: KnownProduct, categoryId: ObjectId | null): boolean {
  return (
    wanted.name !== known.name ||
    wanted.aliasName !== known.alias_name ||
    wanted.description !== known.description ||
    wanted.status !== known.status ||
    wanted.vat !== toPercent(known.vat_basis_points) ||
    wanted.price !== known.price ||
    wanted.originPrice !== known.origin_price ||
    wanted.itemSku !== known.item_sku ||
    wanted.barcode !== known.barcode ||
    categoryId !== known.category_id ||
    JSON.stringify(wanted.images) !== JSON.stringify(known.images) ||
    slugBaseOf(wanted, known) !== undefined
  )
}

/**
 * The base of a new slug, or undefined if the slug stays. It stays if neither a slug nor a new name is sent, or if it
 * was made from that base, numbered or not, so that importing a file again changes nothing.
 */
export function slugBaseOf(wanted: WantedProduct, known: KnownProduct): string | undefined {
  if (wanted.slug === undefined && wanted.name === known.name) return undefined
  const { base, isNew } = nextSlug(undefined, wanted.slug ?? wanted.name, known)
  return isNew ? base : undefined
}

/** Whether the file adds SKUs, or changes the options of a SKU. */
export function hasNewVariants(wanted: WantedProduct): boolean {
  return wanted.skus.some((sku) => sku.id === undefined || sku.pairs !== undefined)
}

/**
 * The groups and SKUs of the file, as a body of the variants (E10's without `known`, else G-37's). Options that the
 * product already has are named by our ids. Groups that no SKU uses are left out.
 */
export function sentVariants(wanted: WantedProduct, known: KnownProduct | undefined): SentVariants {
  const variants: SentVariant[] = (known?.groups ?? []).map((group) => ({
    id: group.id,
    name: group.name,
    options: group.options.map((option) => ({ id: option.id, value: option.name })),
  }))
  const picks = wanted.skus.map((sku) => {
    const now = known?.skus.find(({ id }) => id === sku.id)
    if (sku.pairs === undefined) return now?.variant_option_ids ?? []
    const taken = new Set<SentVariant>()
    return sku.pairs.map((pair, at) => optionId(variants, taken, pair, at))
  })
  const named = new Set(picks.flat())
  return {
    variants: variants.filter((group) => group.options.some((option) => named.has(option.id))),
    skus: wanted.skus.map((sku, at) => ({
      ...(sku.id === undefined ? {} : { _id: sku.id }),
      name: sku.name,
      price: sku.price,
      ...(sku.originPrice === null ? {} : { originPrice: sku.originPrice }),
      sku: sku.code,
      barcode: sku.barcode,
      variantOptionIds: picks[at]!,
    })),
  }
}

/**
 * The id of the pair's option; the option is added if it is missing. Of several groups with the same name, the one at
 * the pair's position is preferred.
 */
function optionId(variants: SentVariant[], taken: Set<SentVariant>, pair: Pair, at: number): string {
  const fits = (group: SentVariant | undefined) => group?.name === pair.group && !taken.has(group)
  let group = fits(variants[at]) ? variants[at]! : variants.find(fits)
  if (group === undefined) {
    group = { id: `option${variants.length + 1}`, name: pair.group, options: [] }
    variants.push(group)
  }
  taken.add(group)
  let option = group.options.find(({ value }) => value === pair.option)
  if (option === undefined) {
    option = { id: `${group.id}: ${pair.option}`, value: pair.option }
    group.options.push(option)
  }
  return option.id
}
