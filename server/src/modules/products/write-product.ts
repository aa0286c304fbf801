import { isUniqueViolation, sqlProblem } from '../../db/client.ts'
import { Refused } from '../../errors.ts'
import { unknownCategory } from './rules.ts'
import type { Written } from './sql/write.ts'

/** Each failed attempt means that another product was written at that moment; this many in a row are unlikely. */
const MAX_ATTEMPTS = 200

/**
 * The row that `attempt` writes; retried while other requests take its slug, codes or version at the same moment (E10,
 * E11). Do not use it inside a transaction if two requests may name the same code: there a violation aborts the
 * transaction.
 * @throws Refused ITEM_SKU_TAKEN or BARCODE_TAKEN naming the code (G-39); ValidationError for an unknown category.
 */
export async function writeProduct<Row>(attempt: () => Promise<Written<Row>>): Promise<Row> {
  for (let n = 1; n <= MAX_ATTEMPTS; n += 1) {
    const { taken, row } = await attempt().catch((error: unknown) => lostOrThrow<Row>(error))
    if (taken !== undefined) {
      throw new Refused(taken.kind === 'sku' ? 'ITEM_SKU_TAKEN' : 'BARCODE_TAKEN', { code: taken.code })
    }
    if (row !== undefined) return row
  }
  throw new Error(`a product could not be written in ${MAX_ATTEMPTS} attempts`)
}

/** Whether a code was taken at the same moment, in this spelling or another. */
export function isCodeTaken(error: unknown): boolean {
  return (
    isUniqueViolation(error, 'product_codes_pkey') || isUniqueViolation(error, 'product_codes_one_per_fold')
  )
}

function lostOrThrow<Row>(error: unknown): Written<Row> {
  if (sqlProblem(error)?.constraint === 'products_shop_id_category_id_fkey') throw unknownCategory()
  const isLost = isUniqueViolation(error, 'products_shop_id_slug_key') || isCodeTaken(error)
  if (!isLost) throw error
  return { taken: undefined, row: undefined }
}
