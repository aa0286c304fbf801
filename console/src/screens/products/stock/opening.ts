import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { Product } from '../product-queries.ts'
import { ONLY_SKU } from '../variants/tier-rows.ts'
import { activeSkus, type Made, rowsIn } from '../variants/variant-rows.ts'

/** Numbers by the key of a row, or of {@link ONLY_SKU}. */
type Numbers = [string, number][]

/**
 * The stock that a new product begins with: pieces, and what one of them cost, in đồng. No warehouse means the default one.
 */
export type Opening = { warehouseId: string | null; pieces: Numbers; costs: Numbers }

export const NO_OPENING: Opening = { warehouseId: null, pieces: [], costs: [] }

/**
 * Pieces or costs by key, for these rows. What was typed before the product had variants belongs to the first one, unless it has
 * its own.
 */
export function numbersOf(numbers: Numbers, [first]: { key: string }[]): Map<string, number> {
  const known = new Map(numbers)
  const before = known.get(ONLY_SKU)
  if (first === undefined || before === undefined) return known
  known.delete(ONLY_SKU)
  return new Map([[first.key, before], ...known])
}

/** The pieces and costs for the SKUs of the created product. Those of rows that were removed meanwhile are left out. */
export function openingItems(opening: Opening, made: Made, product: Pick<Product, 'skus'>): EntryItem[] {
  const rows = rowsIn(made, 0)
  const pieces = numbersOf(opening.pieces, rows)
  const costs = numbersOf(opening.costs, rows)
  const keys = rows.length === 0 ? [ONLY_SKU] : rows.map(({ key }) => key)
  const skus = activeSkus(product)
  return keys.flatMap((key, at) => {
    const quantity = pieces.get(key) ?? 0
    if (quantity === 0 || skus[at] === undefined) return []
    const unitCost = costs.get(key)
    return [{ skuId: skus[at]._id, quantity, ...(unitCost === undefined ? {} : { unitCost }) }]
  })
}

type EntryItem = { skuId: string; quantity: number; unitCost?: number }

/** Records the opening stock as goods received, because a product's creation takes no stock (E10). */
export async function receiveOpening(warehouseId: string, items: EntryItem[], note: string): Promise<void> {
  const body = { type: 'receive' as const, warehouseId, items, note }
  await dataOf(api.POST('/api/external/v1/inventory/entries', { body }))
}
