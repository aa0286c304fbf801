import { Refused, ValidationError } from '../../../errors.ts'
import type { FieldRule, RuleValues } from '../../../field-rules.ts'
import { storageProblem } from '../../../http/validation/storable-text.ts'
import type { ProductCode } from '../../products/rules.ts'
import type { Line, LineProblem } from './lines.ts'
import { stockProblem } from './opening-stock.ts'
import type { WantedProduct } from './wanted-product.ts'

/**
 * What is wrong with a line of a file, and in which column. `rule` and `values` let a client word the message in
 * another language (G-03). A refusal by the shop has neither: its message is already in the importer's language.
 */
export type LineError = Omit<LineProblem, 'rule' | 'values'> & {
  line: number
  rule?: FieldRule
  values?: RuleValues
}

/** A line that cannot be read or stored. */
export class UnreadableLine extends Error {
  readonly problem: LineProblem

  constructor(problem: LineProblem) {
    super(problem.message)
    this.problem = problem
  }
}

/** Why a line cannot be read or stored; undefined for a good one. */
export function problemOf({ cells, problem }: Line): Line['problem'] {
  if (problem !== undefined) return problem
  const ofStock = stockProblem({ cells })
  if (ofStock !== undefined) return ofStock
  const unstorable = storageProblem(cells)
  if (unstorable === undefined) return undefined
  const { path, message, rule, values } = unstorable
  const column = String(path[0])
  return { column, message, rule, values: { label: column, ...values } }
}

/** A code of the wanted product that another product of the shop has (G-39). */
export class TakenCode extends Error {
  readonly path: (string | number)[]
  readonly refused: Refused

  constructor({ kind, code }: ProductCode, wanted: WantedProduct) {
    super()
    this.path = placeOfCode({ kind, code }, wanted)
    this.refused = new Refused(kind === 'sku' ? 'ITEM_SKU_TAKEN' : 'BARCODE_TAKEN', { code })
  }
}

/** The path of a code in E10's body. */
export function placeOfCode({ kind, code }: ProductCode, wanted: WantedProduct): (string | number)[] {
  if (kind === 'sku' && wanted.itemSku === code) return ['itemSku']
  if (kind === 'barcode' && wanted.barcode === code) return ['barcode']
  const at = wanted.skus.findIndex((sku) => (kind === 'sku' ? sku.code : sku.barcode) === code)
  return ['skus', at, kind === 'sku' ? 'sku' : 'barcode']
}

/**
 * Turns an error of a product into the error of one of its lines; `says` gives the text of a refusal.
 * @throws any error that is not about a line.
 */
export function lineError(
  error: unknown,
  lines: Line[],
  wanted: WantedProduct | undefined,
  says: (refused: Refused) => string,
): LineError {
  if (error instanceof TakenCode) {
    return { ...placeOfProblem(error.path, lines, wanted), message: says(error.refused) }
  }
  if (error instanceof UnreadableLine) {
    return { line: lines[0]!.line, ...error.problem }
  }
  if (!(error instanceof ValidationError)) throw error
  const { path, message, rule, values } = error.problems[0]!
  const place = placeOfProblem(path, lines, wanted)
  // The message names the column, because the author of the file does not know the fields of the body.
  const ofColumn = message.replace(/^"[^"]*"/, `"${place.column}"`)
  return { ...place, message: ofColumn, rule, values: { label: place.column, ...values } }
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

/** The line and column that a path in E10's body refers to. */
function placeOfProblem(
  path: (string | number)[],
  lines: Line[],
  wanted: WantedProduct | undefined,
): { line: number; column: string } {
  const first = lines[0]!.line
  const [part, at, field] = path
  if (part === 'skus' && typeof at === 'number') {
    return { line: wanted?.skus[at]?.source?.line ?? first, column: SKU_FIELDS[String(field)] ?? 'skuName' }
  }
  if (part === 'variants') return { line: first, column: 'option1Name' }
  if (part === 'categoryId') return { line: first, column: 'category' }
  const column = part === undefined ? '' : String(part)
  const differing = lines.find(
    ({ cells }) => cells[column] && cells[column] !== (lines[0]!.cells[column] ?? ''),
  )
  return { line: differing?.line ?? first, column }
}
