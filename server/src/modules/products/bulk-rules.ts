import { invalidField } from '../../errors.ts'
import { isObjectId, type ObjectId } from '../../lib/object-id.ts'
import { nextSlugBase, type SentVariant } from './rules.ts'
import type { SentVariants } from './variant-rules.ts'

/**
 * Products in bulk (G-37). A file has a line a SKU; the lines of one product stand together and carry the same
 * `productId` or, without it, the same `slug`. A product without SKUs of its own has one line whose SKU columns are empty.
 *
 * Which product a line means: the one of `productId` if the shop has it, else the one that has `itemSku` or the lines'
 * `skuCode`, else the one of `slug`, else a new one. Which SKU: that of `skuId` if the product has it, else of
 * `skuCode`, else the one with the same options, or without options of the same name, else a new one. Ids of other shops
 * and of retired products mean nothing, so a file of one shop makes new products in another.
 *
 * A column that is not there keeps what it stands for; an empty cell empties a text, the categories, the images and an
 * original price, and keeps the rest. What stands on a product's first line holds; its further lines repeat it or
 * are empty. SKUs that are not in the file stay.
 */
export const PRODUCT_COLUMNS = [
  'productId',
  'slug',
  'name',
  'aliasName',
  'description',
  'category',
  'status',
  'vat',
  'images',
  'price',
  'originPrice',
  'itemSku',
  'barcode',
] as const
export const SKU_COLUMNS = [
  'skuId',
  'skuName',
  'skuPrice',
  'skuOriginPrice',
  'skuCode',
  'skuBarcode',
] as const
/** As many as a product has groups at most (E10). */
export const MAX_OPTION_COLUMNS = 20
/** As many as a product has SKUs at most (E10). */
export const MAX_LINES_OF_A_PRODUCT = 200

type Column = (typeof PRODUCT_COLUMNS)[number] | (typeof SKU_COLUMNS)[number] | string

/** A line of a file by its number; `problem` says why it is none. */
export type Line = {
  line: number
  cells: Record<Column, string>
  problem?: { column: string; message: string } | undefined
}

/** The columns `option1Name`, `option1Value` … of so many groups. */
export function optionColumns(groups: number): string[] {
  return Array.from({ length: groups }, (_, at) => [`option${at + 1}Name`, `option${at + 1}Value`]).flat()
}

const COLUMNS = new Set<string>([...PRODUCT_COLUMNS, ...SKU_COLUMNS, ...optionColumns(MAX_OPTION_COLUMNS)])

/** The names among these that are no column. */
export function unknownColumns(names: string[]): string[] {
  return [...new Set(names.filter((name) => !COLUMNS.has(name)))]
}

/** What tells that two lines are of one product; undefined for a line that stands alone. */
export function handleOf({ cells }: Line): string | undefined {
  const { productId, slug } = cells
  if (productId) return `id ${productId.toLowerCase()}`
  return slug ? `slug ${slug}` : undefined
}

type Option = { id: ObjectId; name: string }
export type KnownSku = {
  id: ObjectId
  name: string
  price: number
  origin_price: number | null
  code: string
  barcode: string
  variant_option_ids: ObjectId[]
  is_default: boolean
}
/** What a product has that a file can say, switched off parts left out, in their order. */
export type KnownProduct = {
  id: ObjectId
  slug: string
  name: string
  alias_name: string
  description: string
  category_id: ObjectId | null
  status: 'active' | 'inactive'
  vat: number
  images: string[]
  price: number
  origin_price: number | null
  item_sku: string
  barcode: string
  skus: KnownSku[]
  groups: { id: ObjectId; name: string; options: Option[] }[]
}

type Pair = { group: string; option: string }
/** A SKU as it is to be. `line` tells whose cells made it, `id` which one it is. */
export type WantedSku = {
  id: ObjectId | undefined
  line: number | undefined
  name: string
  price: number
  originPrice: number | null
  code: string
  barcode: string
  /** Undefined: those it has. */
  pairs: Pair[] | undefined
}
/**
 * A product as it is to be. Values that a cell does not spell rightly stand as they were sent, for the check of the
 * fields to tell; so does what is missing.
 */
export type WantedProduct = {
  slug: string | undefined
  name: string
  aliasName: string
  description: string
  category: string | undefined
  status: 'active' | 'inactive'
  vat: number
  images: string[]
  price: number
  originPrice: number | null
  itemSku: string
  barcode: string
  skus: WantedSku[]
}

/**
 * A product as its lines want it, over what it is now (undefined: a new one).
 * @throws ValidationError, with the column as its path, for cells of the product that differ between its lines, an
 *   option without its group, and an `itemSku` that is only one of its SKUs' code. {@link lineOfProblem} knows the line.
 */
export function wantedProduct(lines: Line[], known: KnownProduct | undefined): WantedProduct {
  const cells = productCells(lines)
  const text = (column: Column, now: string | undefined) => cells[column] ?? now ?? ''
  // Empty keeps, or leaves a new product to what E10 says of a field that is missing.
  const filled = <T>(column: Column, read: (cell: string) => unknown, now: T) =>
    (cells[column] ? read(cells[column]) : now) as T
  if (known !== undefined) refuseSkuAsProduct(cells.itemSku, known)
  return {
    slug: cells.slug || undefined,
    name: filled('name', String, known?.name as string),
    aliasName: text('aliasName', known?.alias_name),
    description: text('description', known?.description),
    category: cells.category,
    status: filled('status', String as never, known?.status ?? 'active'),
    vat: filled('vat', readNumber, known?.vat ?? 0),
    images: cells.images === undefined ? (known?.images ?? []) : readImages(cells.images),
    price: filled('price', readNumber, known?.price as number),
    originPrice: readOptional(cells.originPrice, known?.origin_price ?? null),
    itemSku: text('itemSku', known?.item_sku),
    barcode: text('barcode', known?.barcode),
    skus: wantedSkus(lines, known),
  }
}

function productCells(lines: Line[]): Line['cells'] {
  const first = lines[0]!.cells
  for (const { cells } of lines) {
    for (const column of PRODUCT_COLUMNS) {
      if (cells[column] && cells[column] !== (first[column] ?? '')) {
        throw invalidField([column], 'differs from that of the product’s first line')
      }
    }
  }
  return first
}

function refuseSkuAsProduct(itemSku: string | undefined, known: KnownProduct): void {
  if (!itemSku || itemSku === known.item_sku) return
  if (known.skus.some((sku) => !sku.is_default && sku.code === itemSku)) {
    throw invalidField(['itemSku'], 'is the code of one of the product’s SKUs: it belongs into "skuCode"')
  }
}

function wantedSkus(lines: Line[], known: KnownProduct | undefined): WantedSku[] {
  const own = (known?.skus ?? []).filter((sku) => !sku.is_default)
  const wanted: WantedSku[] = own.map((sku) => ({
    id: sku.id,
    line: undefined,
    name: sku.name,
    price: sku.price,
    originPrice: sku.origin_price,
    code: sku.code,
    barcode: sku.barcode,
    pairs: undefined,
  }))
  const left = new Set(own)
  for (const line of lines) {
    const { cells } = line
    const pairs = pairsOf(cells)
    if (pairs.length === 0 && SKU_COLUMNS.every((column) => !cells[column])) continue
    const now = known && findSku(cells, pairs, known, left)
    if (now !== undefined) left.delete(now)
    const isSame = now === undefined || pairs.length === 0 || samePairs(pairs, pairsNow(known!, now))
    const sku: WantedSku = {
      id: now?.id,
      line: line.line,
      name: (cells.skuName || now?.name) as string,
      price: (cells.skuPrice ? readNumber(cells.skuPrice) : now?.price) as number,
      originPrice: readOptional(cells.skuOriginPrice, now?.origin_price ?? null),
      code: cells.skuCode ?? now?.code ?? '',
      barcode: cells.skuBarcode ?? now?.barcode ?? '',
      pairs: now !== undefined && isSame ? undefined : pairs,
    }
    const at = wanted.findIndex(({ id }) => id !== undefined && id === now?.id)
    if (at === -1) wanted.push(sku)
    else wanted[at] = sku
  }
  return wanted
}

function pairsOf(cells: Line['cells']): Pair[] {
  const pairs: Pair[] = []
  for (let at = 1; at <= MAX_OPTION_COLUMNS; at++) {
    const option = cells[`option${at}Value`]
    if (!option) continue
    const group = cells[`option${at}Name`]
    if (!group) throw invalidField([`option${at}Name`], 'is needed beside its value')
    pairs.push({ group, option })
  }
  return pairs
}

function findSku(
  cells: Line['cells'],
  pairs: Pair[],
  known: KnownProduct,
  left: Set<KnownSku>,
): KnownSku | undefined {
  const { skuId, skuCode, skuName } = cells
  const among = [...left]
  return (
    (skuId && among.find((sku) => sku.id === skuId.toLowerCase())) ||
    (skuCode && among.find((sku) => sku.code === skuCode)) ||
    (pairs.length > 0 && among.find((sku) => samePairs(pairs, pairsNow(known, sku)))) ||
    (pairs.length === 0 &&
      among.find((sku) => sku.variant_option_ids.length === 0 && sku.name === skuName)) ||
    undefined
  )
}

/** The names of a SKU's groups and options, each under the place of its group. */
export function pairsNow(known: KnownProduct, sku: KnownSku): Pair[] {
  return known.groups.flatMap((group) =>
    group.options
      .filter((option) => sku.variant_option_ids.includes(option.id))
      .map((option) => ({ group: group.name, option: option.name })),
  )
}

function samePairs(some: Pair[], others: Pair[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ group, option }, at) => group === others[at]!.group && option === others[at]!.option)
  )
}

/** The number a cell spells, or the cell. */
function readNumber(cell: string): number | string {
  return /^\s*-?\d{1,15}(\.\d+)?\s*$/.test(cell) ? Number(cell) : cell
}

function readOptional(cell: string | undefined, now: number | null): number | null {
  if (cell === undefined) return now
  return cell === '' ? null : (readNumber(cell) as number)
}

/** @throws ValidationError for what begins like a JSON list and is none. */
function readImages(cell: string): string[] {
  if (!cell.startsWith('[')) return cell.split(/\s+/).filter((image) => image !== '')
  try {
    return JSON.parse(cell) as string[]
  } catch {
    throw invalidField(['images'], 'must be addresses with spaces between them, or a JSON list of texts')
  }
}

/** The images as a cell that {@link readImages} reads back: a line each, or JSON where one would not stand so. */
export function imagesCell(images: string[]): string {
  return images.every((image) => /^[^\s[]\S*$/.test(image)) ? images.join('\n') : JSON.stringify(images)
}

/** Whether a product has already what is wanted of it. */
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
    wanted.vat !== known.vat ||
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
 * The base of a new slug, or undefined where it stays: when neither a slug nor a new name is sent, and when it is that
 * one already, numbered or not, so that a second import of a file changes nothing.
 */
export function slugBaseOf(wanted: WantedProduct, known: KnownProduct): string | undefined {
  if (wanted.slug === undefined && wanted.name === known.name) return undefined
  return nextSlugBase(undefined, wanted.slug ?? wanted.name, known.slug)
}

/** Whether SKUs come, or have other options than they had. */
export function hasNewVariants(wanted: WantedProduct): boolean {
  return wanted.skus.some((sku) => sku.id === undefined || sku.pairs !== undefined)
}

/**
 * The groups and SKUs wanted, as a body of the variants (E10 without `known`, else G-37's): options are named by our
 * ids where the product has them. Groups that no SKU names are left out.
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

/** The option's id, made where there is none; the group at the pair's place goes before others of its name. */
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

const SKU_FIELDS: Record<string, string> = {
  _id: 'skuId',
  name: 'skuName',
  price: 'skuPrice',
  originPrice: 'skuOriginPrice',
  sku: 'skuCode',
  barcode: 'skuBarcode',
  variantOptionIds: 'option1Value',
}

/** The line and column that a problem of E10's body stands for. */
export function placeOfProblem(
  path: (string | number)[],
  lines: Line[],
  wanted: WantedProduct | undefined,
): { line: number; column: string } {
  const first = lines[0]!.line
  const [part, at, field] = path
  if (part === 'skus' && typeof at === 'number') {
    return { line: wanted?.skus[at]?.line ?? first, column: SKU_FIELDS[String(field)] ?? 'skuName' }
  }
  if (part === 'variants') return { line: first, column: 'option1Name' }
  if (part === 'categoryId') return { line: first, column: 'category' }
  const column = part === undefined ? '' : String(part)
  const odd = lines.find(({ cells }) => cells[column] && cells[column] !== (lines[0]!.cells[column] ?? ''))
  return { line: odd?.line ?? first, column }
}

/** Ids and codes by which the product of some lines is looked for; ids are lower case. */
export function keysOf(lines: Line[]): {
  id: ObjectId | undefined
  codes: string[]
  slug: string | undefined
} {
  const { productId, itemSku, slug } = lines[0]!.cells
  const codes = [itemSku, ...lines.map(({ cells }) => cells.skuCode)].filter((code) => code !== undefined)
  return {
    id: productId && isObjectId(productId) ? productId.toLowerCase() : undefined,
    codes: [...new Set(codes.filter((code) => code !== ''))],
    slug: slug || undefined,
  }
}
