import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { bookEntry } from '../../inventory/record-entry.ts'
import type { OpeningStock } from '../format/opening-stock.ts'
import { holdStock, listStocked } from '../sql.ts'
import type { ImportContext } from './import-context.ts'

/** As many as a request may have. */
const LINES_OF_AN_ENTRY = 1_000

/** The opening stock that a file has for a SKU; `isNew` if the import creates the SKU. */
export type WantedOpening = OpeningStock & { skuId: ObjectId; productId: ObjectId; isNew: boolean }

/**
 * The openings that can be booked, of SKUs that exist: those of SKUs that have neither stock nor movements in the warehouse. A file
 * knows less about others, and may be imported again (G-37).
 */
export async function withoutStock(
  db: Db,
  shopId: ObjectId,
  openings: WantedOpening[],
  warehouseId: ObjectId,
): Promise<WantedOpening[]> {
  if (openings.length === 0) return []
  const skuIds = openings.map(({ skuId }) => skuId)
  const stocked = new Set(await listStocked(db, shopId, warehouseId, skuIds))
  return openings.filter(({ skuId }) => !stocked.has(skuId))
}

/**
 * The openings of a product's SKUs, whose ids are given in their order, without SKUs that have none yet. Those in `newIds` are
 * created by the import.
 */
export function openingsOf(
  openings: Map<number, OpeningStock>,
  productId: ObjectId,
  skuIds: (ObjectId | undefined)[],
  newIds: ObjectId[] = [],
): WantedOpening[] {
  return [...openings].flatMap(([place, opening]) => {
    const skuId = skuIds[place]
    return skuId === undefined ? [] : [{ ...opening, skuId, productId, isNew: newIds.includes(skuId) }]
  })
}

/**
 * Books opening stock as goods received, up to a thousand SKUs an entry, in the transaction that writes their products. The totals
 * of known products must be locked.
 * @throws, when another transaction changes the stock of a known SKU: it may be waiting for these totals.
 */
export async function bookOpenings(
  trx: Db,
  shopId: ObjectId,
  openings: WantedOpening[],
  context: ImportContext,
): Promise<void> {
  const { ids, clock, by, warehouseId, openingNote: note } = context
  const known = openings.filter(({ isNew }) => !isNew).map(({ skuId }) => skuId)
  if (known.length > 0) await holdStock(trx, shopId, warehouseId, known)
  for (let at = 0; at < openings.length; at += LINES_OF_AN_ENTRY) {
    const lines = openings.slice(at, at + LINES_OF_AN_ENTRY)
    const productOf = new Map(lines.map(({ skuId, productId }) => [skuId, productId]))
    const items = lines.map(({ skuId, quantity, unitCost }) => ({
      skuId,
      quantity,
      ...(unitCost === undefined ? {} : { unitCost }),
    }))
    const entry = { type: 'receive' as const, warehouseId, supplier: '', note, items }
    await bookEntry(trx, { ids, clock }, shopId, entry, {
      id: ids.next(),
      by,
      // Goods received are never short, so no name of a SKU is shown.
      oversell: 'deny',
      skuOf: (id) => ({ id, productId: productOf.get(id)!, name: '', productName: '' }),
    })
  }
}
