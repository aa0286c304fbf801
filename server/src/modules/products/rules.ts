import { invalidField, invalidQuery, type ValidationError } from '../../errors.ts'
import { listedWords } from '../../lib/lists/listed-words.ts'
import { isObjectId, type ObjectId } from '../../lib/object-id.ts'
import { foldCode } from '../../lib/text/fold.ts'
import { slugify } from '../../lib/text/slug.ts'
import { storedLine } from '../../stored-text.ts'

/**
 * The most characters of a product's image addresses together, and of a SKU's. Every line of an order and every article that shows
 * the product repeats them. 200 addresses of 100 characters fit, and 20 of 250.
 */
export const MOST_IMAGE_CHARACTERS = { product: 20_000, sku: 5_000 }

export const SORT_FIELDS = ['createdAt', 'updatedAt', 'name', 'price', 'sortOrder', 'stock_quantity'] as const
export type SortField = (typeof SORT_FIELDS)[number]

const SELECTABLE = ['skus', 'variants', 'category', 'wholesalePrices', 'subItemsGroups', 'skuImages'] as const
export type Selected = Record<(typeof SELECTABLE)[number], boolean>

export type SentSku = {
  name: string
  price: number
  originPrice?: number
  sku?: string
  barcode?: string
  variantOptionIds?: string[]
}
export type SentVariant = { id: string; name: string; options: { id: string; value: string }[] }

/** The fields of E10 that make up a new product's SKUs and variants, including those that its default SKU copies. */
export type SentProduct = {
  name: string
  price: number
  originPrice?: number
  itemSku?: string
  barcode?: string
  skus?: SentSku[]
  variants?: SentVariant[]
}

export type NewGroup = { id: ObjectId; name: string; position: number; options: NewOption[] }
export type NewOption = { id: ObjectId; name: string; position: number }
export type NewSku = {
  id: ObjectId
  name: string
  price: number
  origin_price: number | null
  code: string
  barcode: string
  /** Absent: the SKU keeps its images. */
  images?: string[]
  variant_option_ids: ObjectId[]
  position: number
  is_default: boolean
}
export type SkuDrafts = {
  variants: {
    key: string
    name: string
    options: { key: string; name: string; itemVariantOptionId: ObjectId; active: boolean }[]
    itemVarientId: ObjectId
  }[]
  skus: {
    key: string
    name: string
    price: number
    stock_quantity: number
    skuId: ObjectId
    active: boolean
  }[]
}
export type ProductCode = { kind: 'sku' | 'barcode'; code: string }

export type SkuPlan = { groups: NewGroup[]; skus: NewSku[]; skuDrafts: SkuDrafts; codes: ProductCode[] }

/** @throws ValidationError naming the images at `path` if their addresses are too long together. */
export function assertImages(
  images: string[] | undefined,
  limit = MOST_IMAGE_CHARACTERS.product,
  path: (string | number)[] = ['images'],
): void {
  const characters = images?.reduce((sum, image) => sum + image.length, 0) ?? 0
  if (characters > limit) throw invalidField(path, 'images.characters', { limit })
}

/**
 * The groups, options and SKUs of a new product, with our ids in place of the caller's (E10, G-31); `skuDrafts` keeps
 * the caller's as `key`. A SKU's options are in the order of the groups, whatever order was sent; a SKU without
 * `variantOptionIds` belongs to no option. Without `skus` there is one SKU, with the product's name, prices and codes
 * (G-30); it is not in `skuDrafts`, which shows what was sent. `codes` lists each code and barcode of the product and
 * its SKUs once.
 * @throws ValidationError when an id of a group or option occurs twice, or a group's options do not differ, or when a SKU names an unknown option, does not
 *   name exactly one option of each group, or repeats another SKU's combination, code or barcode.
 */
export function planSkus(sent: SentProduct, nextId: () => ObjectId): SkuPlan {
  const variants = sent.variants ?? []
  const groups: NewGroup[] = variants.map((variant, position) => ({
    id: nextId(),
    name: variant.name,
    position,
    options: variant.options.map((option, at) => ({ id: nextId(), name: option.value, position: at })),
  }))
  const skuSent = sent.skus ?? []
  const picks = picksOf(variants, groups, skuSent)

  const skus: NewSku[] = skuSent.map((sku, position) => ({
    id: nextId(),
    name: sku.name,
    price: sku.price,
    origin_price: sku.originPrice ?? null,
    code: sku.sku ?? '',
    barcode: sku.barcode ?? '',
    variant_option_ids: picks[position]!.map((option) => option.id),
    position,
    is_default: false,
  }))
  const skuDrafts: SkuDrafts = {
    variants: variants.map((variant, at) => ({
      key: variant.id,
      name: variant.name,
      options: variant.options.map((option, optionAt) => ({
        key: option.id,
        name: option.value,
        itemVariantOptionId: groups[at]!.options[optionAt]!.id,
        active: true,
      })),
      itemVarientId: groups[at]!.id,
    })),
    skus: skus.map((sku, index) => ({
      key: picks[index]!.map((option) => option.key).join('/'),
      name: sku.name,
      price: sku.price,
      stock_quantity: 0,
      skuId: sku.id,
      active: true,
    })),
  }
  if (skus.length === 0) skus.push(defaultSku(sent, nextId()))
  return { groups, skus, skuDrafts, codes: codesOf(sent, skus) }
}

/** An option of the body: the caller's id, ours, and the index of its group. */
type Option = { key: string; id: ObjectId; group: number }

/**
 * The options that each SKU names, in the order of the groups. `groups` are the `variants` with our ids.
 * @throws ValidationError as {@link planSkus} (G-31).
 */
export function picksOf(variants: SentVariant[], groups: NewGroup[], skus: SentSku[]): Option[][] {
  const options = indexOptions(variants, groups)
  const picks = skus.map((sku, index) =>
    pickOptions(sku.variantOptionIds ?? [], index, options, groups.length),
  )
  refuseRepeats(skus, picks)
  return picks
}

function indexOptions(variants: SentVariant[], groups: NewGroup[]): Map<string, Option> {
  const options = new Map<string, Option>()
  const groupIds = new Set<string>()
  for (const [group, variant] of variants.entries()) {
    if (groupIds.has(variant.id)) throw invalidField(['variants', group, 'id'], 'variantGroup.twice')
    groupIds.add(variant.id)
    const names = new Set<string>()
    for (const [at, option] of variant.options.entries()) {
      if (options.has(option.id)) {
        throw invalidField(['variants', group, 'options', at, 'id'], 'option.twice')
      }
      const name = storedLine(option.value)
      if (names.has(name)) {
        throw invalidField(['variants', group, 'options', at, 'value'], 'option.nameTwice')
      }
      names.add(name)
      options.set(option.id, { key: option.id, id: groups[group]!.options[at]!.id, group })
    }
  }
  return options
}

function pickOptions(
  keys: string[],
  sku: number,
  options: Map<string, Option>,
  groupCount: number,
): Option[] {
  const picked: Option[] = []
  for (const [at, key] of keys.entries()) {
    const option = options.get(key)
    const path = ['skus', sku, 'variantOptionIds', at]
    if (option === undefined) throw invalidField(path, 'sku.optionUnknown')
    if (picked.some((other) => other.group === option.group)) {
      throw invalidField(path, 'sku.twoOptionsOfGroup')
    }
    picked.push(option)
  }
  if (picked.length > 0 && picked.length < groupCount) {
    throw invalidField(['skus', sku, 'variantOptionIds'], 'sku.optionMissing')
  }
  return picked.sort((a, b) => a.group - b.group)
}

function refuseRepeats(skus: SentSku[], picks: Option[][]): void {
  const combinations = new Set<string>()
  const codes = new Set<string>()
  const barcodes = new Set<string>()
  for (const [index, sku] of skus.entries()) {
    const combination = picks[index]!.map((option) => option.id).join('/')
    if (combination !== '' && combinations.has(combination)) {
      throw invalidField(['skus', index, 'variantOptionIds'], 'sku.combinationTwice')
    }
    const [code, barcode] = [foldCode(sku.sku ?? ''), foldCode(sku.barcode ?? '')]
    if (codes.has(code)) {
      throw invalidField(['skus', index, 'sku'], 'sku.codeTwice')
    }
    if (barcodes.has(barcode)) {
      throw invalidField(['skus', index, 'barcode'], 'sku.barcodeTwice')
    }
    combinations.add(combination)
    if (code !== '') codes.add(code)
    if (barcode !== '') barcodes.add(barcode)
  }
}

/** The default SKU of a product without SKUs of its own (G-30): it has the product's name, prices and codes. */
export function defaultSku(sent: SentProduct, id: ObjectId): NewSku {
  return {
    id,
    name: sent.name,
    price: sent.price,
    origin_price: sent.originPrice ?? null,
    code: sent.itemSku ?? '',
    barcode: sent.barcode ?? '',
    variant_option_ids: [],
    position: 0,
    is_default: true,
  }
}

/** Each code and barcode of a product and its SKUs, listed once even if spelled differently (G-33, G-39). */
export function codesOf(
  sent: Pick<SentProduct, 'itemSku' | 'barcode'>,
  skus: Pick<NewSku, 'code' | 'barcode'>[],
): ProductCode[] {
  const codes = onceFolded([sent.itemSku ?? '', ...skus.map((sku) => sku.code)])
  const barcodes = onceFolded([sent.barcode ?? '', ...skus.map((sku) => sku.barcode)])
  return [
    ...codes.map((code) => ({ kind: 'sku' as const, code })),
    ...barcodes.map((code) => ({ kind: 'barcode' as const, code })),
  ]
}

/** The first spelling of each code that is not empty. */
function onceFolded(codes: string[]): string[] {
  const spellings = new Map<string, string>()
  for (const code of codes) {
    const folded = foldCode(code)
    if (code !== '' && !spellings.has(folded)) spellings.set(folded, code)
  }
  return [...spellings.values()]
}

/** The slug of a product's name (E10, E11); never empty, even if the name has no letter of a–z. */
export function slugBase(name: string): string {
  return slugify(name) || 'product'
}

/** A product's slug, and the base that it was made unique from. The two differ only if the slug has a suffix. */
export type KnownSlug = { slug: string; slug_base: string }

/**
 * The base of a product's slug after an update, and whether a new slug is made from it (E11, G-64). If the request has
 * no slug, the base is made from the name, and the slug stays if it already has that base: a suffix that avoids a clash
 * is kept, so that an update of the price does not change `ao-2` to `ao-3`.
 */
export function nextSlug(
  sentSlug: string | undefined,
  name: string,
  known: KnownSlug,
): { base: string; isNew: boolean } {
  const sent = slugify(sentSlug ?? '')
  if (sent !== '') return { base: sent, isNew: sent !== known.slug }
  const base = slugBase(name)
  return { base, isNew: base !== known.slug && base !== known.slug_base }
}

/**
 * The parts that a `select` requests; undefined if it requests none (E8, E9).
 * @throws ValidationError (query) naming an unknown part.
 */
export function parseSelect(text: string | undefined): Selected | undefined {
  const words = listedWords(text)
  if (words.length === 0) return undefined
  const selected = noneSelected()
  for (const word of words) {
    const part = SELECTABLE.find((known) => known === word)
    if (part === undefined) {
      throw invalidQuery('select', 'select.parts', { valids: SELECTABLE })
    }
    selected[part] = true
  }
  return selected
}

export function noneSelected(): Selected {
  return {
    skus: false,
    variants: false,
    category: false,
    wholesalePrices: false,
    subItemsGroups: false,
    skuImages: false,
  }
}

/**
 * The category that a body names, as it is stored; null and undefined stay. @throws ValidationError if the text cannot be an
 * id; the database checks whether it belongs to the shop.
 */
export function categoryIdOf(sent: string | null | undefined): ObjectId | null | undefined {
  if (sent === undefined || sent === null) return sent
  if (!isObjectId(sent)) throw unknownCategory()
  return sent.toLowerCase()
}

/**
 * The refusal of a `categoryId` that names no category of the shop. An import gives the `value` that the file has for it, so
 * that a client can offer to create the category.
 */
export function unknownCategory(value?: string): ValidationError {
  return invalidField(['categoryId'], 'shop.unknown', {
    kind: 'category',
    ...(value === undefined ? {} : { value }),
  })
}
