import { invalidField, problemOf } from '../../../errors.ts'
import { type FieldRule, type PlainRule, type RuleValues, sentenceOfRule } from '../../../field-rules.ts'
import { isObjectId, type ObjectId } from '../../../lib/object-id.ts'

/**
 * A file of products (G-37) has a line for each SKU; the lines of one product are consecutive and have the same
 * `productId` or, without it, the same `slug`. A product without SKUs of its own has one line whose SKU columns are
 * empty.
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

export type Column = (typeof PRODUCT_COLUMNS)[number] | (typeof SKU_COLUMNS)[number] | string

/** What is wrong with a line, and in which column; '' for the whole line. `rule` and `values` as in `errors.ts`. */
export type LineProblem = { column: string; message: string; rule: FieldRule; values: RuleValues }

/** A line of a file by its number; `problem` says why it is not a valid one. */
export type Line = {
  line: number
  cells: Record<Column, string>
  problem?: LineProblem | undefined
}

/** A problem with a cell, its message in English: `"<column>" <sentence of the rule>`. */
export function cellProblem(column: string, rule: PlainRule, values: RuleValues = {}): LineProblem {
  const { message } = problemOf([column], rule, values)
  return { column, message, rule, values: { label: column, ...values } }
}

/** A problem with a line as a whole, whose rule has a whole sentence. */
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

const COLUMNS = new Set<string>([...PRODUCT_COLUMNS, ...SKU_COLUMNS, ...optionColumns(MAX_OPTION_COLUMNS)])

/** The names among these that are no column. */
export function unknownColumns(names: string[]): string[] {
  return [...new Set(names.filter((name) => !COLUMNS.has(name)))]
}

/** The key that lines of one product share; undefined for a line without one. */
export function handleOf({ cells }: Line): string | undefined {
  const { productId, slug } = cells
  if (productId) return `id ${productId.toLowerCase()}`
  return slug ? `slug ${slug}` : undefined
}

/** The ids and codes by which the product of some lines is found; ids are lower case. */
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

/** The number a cell spells, or the cell. */
export function readNumber(cell: string): number | string {
  return /^\s*-?\d{1,15}(\.\d+)?\s*$/.test(cell) ? Number(cell) : cell
}

/** As {@link readNumber}; the current value if there is no cell, null for an empty one. */
export function readOptional(cell: string | undefined, now: number | null): number | null {
  if (cell === undefined) return now
  return cell === '' ? null : (readNumber(cell) as number)
}

/** @throws ValidationError for text that begins like a JSON list but is not one. */
export function readImages(cell: string): string[] {
  if (!cell.startsWith('[')) return cell.split(/\s+/).filter((image) => image !== '')
  try {
    return JSON.parse(cell) as string[]
  } catch {
    throw invalidField(['images'], 'import.imageList')
  }
}

/**
 * The images as a cell that {@link readImages} reads back: one address a line, or JSON if an address would not survive
 * that.
 */
export function imagesCell(images: string[]): string {
  return images.every((image) => /^[^\s[]\S*$/.test(image)) ? images.join('\n') : JSON.stringify(images)
}
