import { invalidField } from '../../../errors.ts'
import { toPercent } from '../../../lib/amounts/vat.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { foldCode } from '../../../lib/text/fold.ts'
import type { KnownSlug } from '../../products/rules.ts'
import {
  type Column,
  type Line,
  MAX_OPTION_COLUMNS,
  PRODUCT_COLUMNS,
  readImages,
  readNumber,
  readOptional,
  SKU_COLUMNS,
} from './lines.ts'

/*
 * What the lines of a file want of a product (G-37).
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
export type KnownProduct = KnownSlug & {
  id: ObjectId
  name: string
  alias_name: string
  description: string
  category_id: ObjectId | null
  status: 'active' | 'inactive'
  vat_basis_points: number
  images: string[]
  price: number
  origin_price: number | null
  item_sku: string
  barcode: string
  skus: KnownSku[]
  groups: { id: ObjectId; name: string; options: Option[] }[]
}

export type Pair = { group: string; option: string }
/** A SKU as it is to be. `line` is the line of its cells, `id` the existing SKU. */
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
  /** Percent. */
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
 *   option without its group, and an `itemSku` that is only one of its SKUs' code. `placeOfProblem` knows the line.
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
    vat: filled('vat', readNumber, toPercent(known?.vat_basis_points ?? 0)),
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
        throw invalidField([column], 'import.linesDiffer')
      }
    }
  }
  return first
}

function refuseSkuAsProduct(itemSku: string | undefined, known: KnownProduct): void {
  if (!itemSku || foldCode(itemSku) === foldCode(known.item_sku)) return
  if (known.skus.some((sku) => !sku.is_default && foldCode(sku.code) === foldCode(itemSku))) {
    throw invalidField(['itemSku'], 'import.skuCode')
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
    if (!group) throw invalidField([`option${at}Name`], 'import.optionName')
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
    (skuCode && among.find((sku) => foldCode(sku.code) === foldCode(skuCode))) ||
    (pairs.length > 0 && among.find((sku) => samePairs(pairs, pairsNow(known, sku)))) ||
    (pairs.length === 0 &&
      among.find((sku) => sku.variant_option_ids.length === 0 && sku.name === skuName)) ||
    undefined
  )
}

/** The names of a SKU's groups and options, each under the place of its group. */
function pairsNow(known: KnownProduct, sku: KnownSku): Pair[] {
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
