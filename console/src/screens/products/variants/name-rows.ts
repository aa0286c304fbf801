import { Problem } from '../../../api/problem.ts'
import type { Language } from '../../../texts/catalogue.ts'
import { fieldName } from '../../../texts/field-name.ts'
import { type FieldProblem, namedProblem } from '../../../texts/field-problem.ts'
import { fold } from '../../../texts/fold.ts'
import type { VariantRow } from './variant-rows.ts'

/** The text about two variants with the same code: `Mã vạch của Xanh / L trùng với Đỏ / S`. */
type SameCode = (field: string, mine: string, other: string) => string

/**
 * Renames the variants in a refusal by their options; the service names them by their place in the request. Errors that
 * are not a refusal of a variant stay unchanged.
 */
export function withVariantNames(
  error: unknown,
  rows: readonly VariantRow[],
  sameCode: SameCode,
  language: Language,
): unknown {
  if (!(error instanceof Problem)) return error
  const sentences = error.details.map((problem) => {
    const [, place, column] = /^skus\.(\d+)\.(\w+)/.exec(problem.key) ?? []
    const row = rows[Number(place)]
    return row === undefined ? namedProblem(problem, language) : sentenceOf(problem, row, column!)
  })
  return sentences.length === 0 ? error : error.saying(sentences.join('. '))

  function sentenceOf(problem: FieldProblem, row: VariantRow, column: string): string {
    const isTwice = problem.rule === 'sku.barcodeTwice' || problem.rule === 'sku.codeTwice'
    const code = (one: VariantRow) => fold(column === 'barcode' ? one.barcode : one.sku)
    const other = isTwice ? rows.find((one) => one !== row && code(one) === code(row)) : undefined
    if (other !== undefined) return sameCode(fieldName(column, language)!, row.name, other.name)
    // `Giá của phiên bản 6`, with the place replaced.
    return namedProblem(problem, language).replace(/(phiên bản|variant) \d+/, row.name)
  }
}
