import { invalidField } from '../../../errors.ts'
import { toPercent } from '../../../lib/amounts/vat.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { foldCode } from '../../../lib/text/fold.ts'
import { assertImages, type KnownSlug } from '../../products/rules.ts'
import {
  type Column,
  type Line,
  MAX_OPTION_COLUMNS,
  PRODUCT_COLUMNS,
  readImages,
  readMoney,
  readNumber,
  readOptionalMoney,
  SKU_COLUMNS,
} from './lines.ts'

/*
 * What the lines of a file make of a product (G-37).
 *
 * How the product of a line is found: by `productId` if the shop has it, else by `itemSku` or the lines' `skuCode`,
 * else by `slug`; otherwise it is a new one. How the SKU is found: by `skuId` if the product has it, else by `skuCode`,
 * else by the same options, or, without options, by the same name; otherwise it is a new one. A code that finds its
 * record in other letters stays as it is stored, unless the line has the record's id. Ids of other shops and of
 * retired products are ignored, so a file of one shop creates new products in another.
 *
 * A missing column leaves its field unchanged. An empty cell clears a text, the category, the images and an original
 * price, and leaves any other field unchanged. The values on a product's first line apply; its further lines repeat
 * them or are empty. SKUs that are not in the file stay.
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
/** The parts of a product that a file can set, in their order, without inactive ones. */
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
/** A SKU as the file wants it. `source` is the line with its cells, `id` the existing SKU. */
export type WantedSku = {
  id: ObjectId | undefined
  source: Line | undefined
  name: string
  price: number
  originPrice: number | null
  code: string
  barcode: string
  /** Undefined: the SKU keeps its options. */
  pairs: Pair[] | undefined
}
/**
 * A product as the file wants it. Invalid cells keep the value that was sent, and missing ones stay undefined; the
 * check of the fields reports both.
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
 * The product that the lines describe, based on `known`, the existing one (undefined: a new product).
 * @throws ValidationError, with the column as its path, for cells of the product that differ between its lines, an
 *   option without its group, and an `itemSku` that is only the code of one of its SKUs. `placeOfProblem` finds the
 *   line.
 */
export function wantedProduct(lines: Line[], known: KnownProduct | undefined): WantedProduct {
  const cells = productCells(lines)
  const text = (column: Column, now: string | undefined) => cells[column] ?? now ?? ''
  // An empty cell keeps the known value; for a new product it counts as a missing field (E10).
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
    images: wantedImages(cells.images, known?.images ?? []),
    price: filled('price', readMoney, known?.price as number),
    originPrice: readOptionalMoney(cells.originPrice, known?.origin_price ?? null),
    itemSku: codeOf(cells.itemSku, known?.item_sku, cells.productId),
    barcode: text('barcode', known?.barcode),
    skus: wantedSkus(lines, known),
  }
}

/** The code of a cell, or the stored one if they differ only in their letters' case and the line has no id of the record. */
function codeOf(cell: string | undefined, stored: string | undefined, id: string | undefined): string {
  if (cell === undefined || stored === undefined) return cell ?? stored ?? ''
  return !id && foldCode(cell) === foldCode(stored) ? stored : cell
}

/** A product that has long images keeps them in a file that repeats them. @throws ValidationError for others. */
function wantedImages(cell: string | undefined, known: string[]): string[] {
  if (cell === undefined) return known
  const images = readImages(cell)
  if (JSON.stringify(images) !== JSON.stringify(known)) assertImages(images)
  return images
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
    source: undefined,
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
      source: line,
      name: (cells.skuName || now?.name) as string,
      price: (cells.skuPrice ? readMoney(cells.skuPrice) : now?.price) as number,
      originPrice: readOptionalMoney(cells.skuOriginPrice, now?.origin_price ?? null),
      code: codeOf(cells.skuCode, now?.code, cells.skuId),
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

/** The names of a SKU's groups and options, in the order of the groups. */
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
