import { invalidField, problemOf } from '../../../errors.ts'
import { type FieldRule, type PlainRule, type RuleValues, sentenceOfRule } from '../../../field-rules.ts'
import { isObjectId, type ObjectId } from '../../../lib/object-id.ts'
import { slugify } from '../../../lib/text/slug.ts'

/**
 * Columns of a file of products (G-37). It has a line for each SKU; the lines of one product are consecutive and have
 * the same `productId` or, without it, the same `slug` or, without both, the same `productKey`. A product without SKUs
 * of its own has one line with empty SKU columns.
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
/** The columns of codes. */
export const CODE_COLUMNS: readonly string[] = ['itemSku', 'barcode', 'skuCode', 'skuBarcode']
/** What a line says of the stock of its SKU, or of a product without SKUs of its own. Only an import has these columns. */
export const STOCK_COLUMNS = ['openingStock', 'unitCost'] as const
/**
 * What a line says of itself, which is not stored: the text that the lines of one product share, and the number that its
 * errors name, if the file was made from another one. Only an import has these columns.
 */
export const LINE_COLUMNS = ['productKey', 'line'] as const
/** The maximum number of groups of a product (E10). */
export const MAX_OPTION_COLUMNS = 20
/** The maximum number of SKUs of a product (E10). */
export const MAX_LINES_OF_A_PRODUCT = 200

export type Column =
  | (typeof PRODUCT_COLUMNS | typeof SKU_COLUMNS | typeof STOCK_COLUMNS | typeof LINE_COLUMNS)[number]
  | string

/**
 * What is wrong with a line, and in which column ('' for the whole line). `rule` and `values` are as in `errors.ts`.
 */
export type LineProblem = { column: string; message: string; rule: FieldRule; values: RuleValues }

/** A line of a file. `line` is the number that errors name ({@link numberOf}); `problem` says why it is invalid. */
export type Line = {
  line: number
  cells: Record<Column, string>
  problem?: LineProblem | undefined
}

/** A problem with a cell. Its message is English: `"<column>" <sentence of the rule>`. */
export function cellProblem(column: string, rule: PlainRule, values: RuleValues = {}): LineProblem {
  const { message } = problemOf([column], rule, values)
  return { column, message, rule, values: { label: column, ...values } }
}

/** A problem with a line as a whole; the text of these rules is a complete sentence. */
export function wholeLineProblem(
  rule: Extract<PlainRule, `line.${string}`>,
  values: RuleValues = {},
): LineProblem {
  return { column: '', message: sentenceOfRule(rule, values), rule, values }
}

/** The columns `option1Name`, `option1Value` … of `groups` groups. */
export function optionColumns(groups: number): string[] {
  return Array.from({ length: groups }, (_, at) => [`option${at + 1}Name`, `option${at + 1}Value`]).flat()
}

const COLUMNS = new Set<string>([
  ...PRODUCT_COLUMNS,
  ...SKU_COLUMNS,
  ...STOCK_COLUMNS,
  ...LINE_COLUMNS,
  ...optionColumns(MAX_OPTION_COLUMNS),
])

/** The given names that are not columns of a file. */
export function unknownColumns(names: string[]): string[] {
  return [...new Set(names.filter((name) => !COLUMNS.has(name)))]
}

/** The key that all lines of one product share, and its column; undefined if the line has none of them. */
export function handleOf({ cells }: Line): { column: Column; key: string } | undefined {
  const { productId, slug, productKey } = cells
  if (productId) return { column: 'productId', key: `id ${productId.toLowerCase()}` }
  if (slug) return { column: 'slug', key: `slug ${slugify(slug) || slug}` }
  return productKey ? { column: 'productKey', key: `key ${productKey}` } : undefined
}

/** The number of a line in the file that its author sees: its own, or the one in its column `line`. */
export function numberOf(cells: Line['cells'], own: number): number {
  return /^[1-9]\d{0,8}$/.test(cells.line ?? '') ? Number(cells.line) : own
}

/** The id, codes and slug that identify the product of the given lines, as they are stored. */
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
    slug: slugify(slug ?? '') || undefined,
  }
}

/** The number written in a cell, or the cell's text if it is not a number. */
export function readNumber(cell: string): number | string {
  return /^\s*-?\d{1,15}(\.\d+)?\s*$/.test(cell) ? Number(cell) : cell
}

/**
 * The whole đồng in a cell, or what the cell has instead: `150000`, and also `150.000`, `150,000` and `150000.00`, as
 * spreadsheets write them. Three digits after a dot or comma are thousands.
 */
export function readMoney(cell: string): number | string {
  const [, digits] =
    /^\s*(-?\d{1,15})(?:\.0{1,2})?\s*$/.exec(cell) ??
    /^\s*(-?\d{1,3}(?:\.\d{3}){1,4})\s*$/.exec(cell) ??
    /^\s*(-?\d{1,3}(?:,\d{3}){1,4})\s*$/.exec(cell) ??
    []
  if (digits !== undefined) return Number(digits.replace(/[.,]/g, ''))
  const number = readNumber(cell)
  return Number.isInteger(number) ? cell : number
}

/** Like {@link readMoney}, but `now` if the column is missing, and null for an empty cell. */
export function readOptionalMoney(cell: string | undefined, now: number | null): number | null {
  if (cell === undefined) return now
  return cell === '' ? null : (readMoney(cell) as number)
}

/** @throws ValidationError for text that begins like a JSON list but is not a list of texts. */
export function readImages(cell: string): string[] {
  if (!cell.startsWith('[')) return cell.split(/\s+/).filter((image) => image !== '')
  let images: unknown
  try {
    images = JSON.parse(cell)
  } catch {
    // Refused below.
  }
  if (!isTexts(images)) throw invalidField(['images'], 'import.imageList')
  return images
}

/** Whether a value is a list of texts. Anything else may be nested so deeply that JSON.stringify throws. */
export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/**
 * The images as a cell that {@link readImages} reads back: one address on each line, or JSON if an address contains
 * characters that would break that.
 */
export function imagesCell(images: string[]): string {
  return images.every((image) => /^[^\s[]\S*$/.test(image)) ? images.join('\n') : JSON.stringify(images)
}
