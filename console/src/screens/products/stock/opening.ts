import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { Product } from '../product-queries.ts'
import { ONLY_SKU } from '../variants/tier-rows.ts'
import { activeSkus, type Made, rowsIn } from '../variants/variant-rows.ts'

/**
 * The stock that a new product begins with: pieces by the key of a row, or of {@link ONLY_SKU}. No warehouse means the
 * default one.
 */
export type Opening = { warehouseId: string | null; pieces: [string, number][] }

export const NO_OPENING: Opening = { warehouseId: null, pieces: [] }

/**
 * The pieces by key, for these rows. Those that were typed before the product had variants belong to the first one, unless it has
 * its own.
 */
export function piecesOf({ pieces }: Opening, [first]: { key: string }[]): Map<string, number> {
  const known = new Map(pieces)
  const before = known.get(ONLY_SKU)
  if (first === undefined || before === undefined) return known
  known.delete(ONLY_SKU)
  return new Map([[first.key, before], ...known])
}

/** The pieces for the SKUs of the created product. Pieces of rows that were removed meanwhile are left out. */
export function openingItems(
  opening: Opening,
  made: Made,
  product: Pick<Product, 'skus'>,
): { skuId: string; quantity: number }[] {
  const rows = rowsIn(made, 0)
  const known = piecesOf(opening, rows)
  const keys = rows.length === 0 ? [ONLY_SKU] : rows.map(({ key }) => key)
  const skus = activeSkus(product)
  return keys.flatMap((key, at) => {
    const quantity = known.get(key) ?? 0
    return quantity === 0 || skus[at] === undefined ? [] : [{ skuId: skus[at]._id, quantity }]
  })
}

/** Records the opening stock as goods received, because a product's creation takes no stock (E10). */
export async function receiveOpening(
  warehouseId: string,
  items: { skuId: string; quantity: number }[],
  note: string,
): Promise<void> {
  const body = { type: 'receive' as const, warehouseId, items, note }
  await dataOf(api.POST('/api/external/v1/inventory/entries', { body }))
}
