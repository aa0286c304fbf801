import type { Refused } from '../../../errors.ts'
import type { Ids, ObjectId } from '../../../lib/object-id.ts'
import { foldCode } from '../../../lib/text/fold.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { ProductCode } from '../../products/rules.ts'
import type { CategoryPaths } from '../format/category-paths.ts'
import type { Line } from '../format/lines.ts'
import type { WantedProduct } from '../format/wanted-product.ts'

/** What earlier products of the file have taken: codes by {@link codeKey} with their line, and products by id. */
export type TakenInFile = { codes: Map<string, number>; productIds: Set<ObjectId> }

export type ImportContext = {
  ids: Ids
  clock: Clock
  now: Date
  /** Who imports: the key or the member. */
  by: ObjectId | null
  categories: CategoryPaths
  taken: TakenInFile
  /** Where opening stock is booked. */
  warehouseId: ObjectId
  /** Whether the import only checks: nothing is locked or written. */
  isCheck: boolean
  /**
   * The products whose totals the transaction locks at its start. Undefined: the totals of changing products are locked
   * as they come.
   */
  held: Set<ObjectId> | undefined
  /** A refusal as a sentence in the importer's language. */
  says(refused: Refused): string
  /** The note on entries of opening stock, in the importer's language. */
  openingNote: string
}

/** Records the error of a product's lines. */
export type Fail = (lines: Line[], error: unknown, wanted?: WantedProduct) => void

/** A code in the form in which codes are compared (G-33). */
export function codeKey({ kind, code }: ProductCode): string {
  return `${kind} ${foldCode(code)}`
}

/** A product was created or retired between the look-up and the write: the import is retried. */
export class ProductsChanged extends Error {}
