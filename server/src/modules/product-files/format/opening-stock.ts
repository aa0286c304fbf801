import { invalidField } from '../../../errors.ts'
import { MAX_PIECES, MOST_UNIT_COST } from '../../inventory/rules.ts'
import { cellProblem, type Line, type LineProblem, readMoney } from './lines.ts'
import type { WantedSku } from './wanted-product.ts'

/** The opening stock of a SKU: pieces, at least 1, and what one of them cost, in đồng, if the file says so. */
export type OpeningStock = { quantity: number; unitCost?: number }

/** What the pieces of one line may cost together, in đồng: so little that an entry of 1,000 lines stays a safe integer. */
const MOST_COST_OF_A_LINE = 1_000_000_000_000

/** The problem with a line's stock or cost; undefined if they can be read. */
export function stockProblem({ cells }: Pick<Line, 'cells'>): LineProblem | undefined {
  return (
    numberProblem('openingStock', cells.openingStock, MAX_PIECES) ??
    numberProblem('unitCost', cells.unitCost, mostUnitCost(cells.openingStock))
  )
}

function mostUnitCost(stock: string | undefined): number {
  const pieces = Number(readMoney(stock ?? ''))
  return pieces > 1 ? Math.floor(MOST_COST_OF_A_LINE / pieces) : MOST_UNIT_COST
}

function numberProblem(column: string, cell: string | undefined, limit: number): LineProblem | undefined {
  if (!cell) return undefined
  const number = readMoney(cell)
  if (typeof number === 'string') return cellProblem(column, 'number.base')
  if (!Number.isInteger(number)) return cellProblem(column, 'number.integer')
  if (number < 0) return cellProblem(column, 'number.min', { limit: 0 })
  return number > limit ? cellProblem(column, 'number.max', { limit }) : undefined
}

/**
 * The opening stock of each SKU of a product, by the SKU's place in `skus`; the automatic SKU of a product without SKUs of its own
 * has place 0. An empty cell and 0 mean none. The cells must be readable ({@link stockProblem}).
 * @throws ValidationError for a stock without the SKU that it is of, and for two that differ.
 */
export function openingStocks(lines: Line[], skus: WantedSku[]): Map<number, OpeningStock> {
  const openings = new Map<number, OpeningStock>()
  for (const line of lines) {
    const { cells } = line
    const quantity = cells.openingStock ? Number(readMoney(cells.openingStock)) : 0
    if (quantity === 0) continue
    const place = skus.length === 0 ? 0 : skus.findIndex(({ source }) => source === line)
    if (place === -1) throw invalidField(['openingStock'], 'import.stockOfSku')
    const unitCost = cells.unitCost ? Number(readMoney(cells.unitCost)) : undefined
    const before = openings.get(place)
    if (before !== undefined && before.quantity !== quantity) {
      throw invalidField(['openingStock'], 'import.linesDiffer')
    }
    if (before !== undefined && before.unitCost !== unitCost) {
      throw invalidField(['unitCost'], 'import.linesDiffer')
    }
    openings.set(place, { quantity, ...(unitCost === undefined ? {} : { unitCost }) })
  }
  return openings
}
