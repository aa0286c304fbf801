import type { Db } from '../../db/client.ts'
import { lineName } from '../../lib/line-name.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { averageAfterReceipt, totalCostOf, unitCostOf } from './average-cost.ts'
import { placeEntry } from './record-entry.ts'
import { costedItems, type Entry, movementsOf, readEntry, shortSkus, warehousesOf } from './rules.ts'
import { listSkuStates } from './sql/costs.ts'
import { findEntryParties } from './sql/entries.ts'

/** The result that an entry would have; quantities in pieces, costs in đồng. */
export type EntryPreview = {
  warehouseId: ObjectId
  toWarehouseId: ObjectId | null
  totalCost: number | null
  items: {
    skuId: ObjectId
    name: string
    code: string
    quantity: number
    stock: number
    available: number
    change: number
    isShort: boolean
    averageCost: number | null
    averageCostAfter: number | null
  }[]
}

/**
 * The result that an entry would have if it were booked now, line by line in the order of its items; nothing is locked or written
 * (G-38).
 * @throws ValidationError as `readEntry` and `placeEntry`; Refused AMOUNT_TOO_LARGE.
 */
export async function previewEntry(db: Db, shopId: ObjectId, asked: Entry): Promise<EntryPreview> {
  const entry = readEntry(asked)
  const skuIds = entry.items.map((item) => item.skuId)
  const { warehouseId, toWarehouseId } = entry
  const parties = await findEntryParties(db, shopId, { warehouseId, toWarehouseId, skuIds })
  const placed = placeEntry(entry, parties)
  const states = await listSkuStates(db, shopId, skuIds, warehousesOf(placed))
  const levels = states.flatMap(({ skuId, levels: some }) => some.map((level) => ({ skuId, ...level })))
  const stateOf = new Map(states.map((state) => [state.skuId, state]))
  const nameOf = new Map(parties.skus.map((sku) => [sku.id, lineName(sku)]))
  const changeOf = new Map(
    movementsOf(placed, levels)
      .filter((movement) => movement.warehouseId === placed.warehouseId)
      .map((movement) => [movement.skuId, movement.quantity]),
  )
  const short = new Set(shortSkus(placed, levels, parties.oversell).map(({ skuId }) => skuId))
  const costed = costedItems(placed)
  return {
    warehouseId: placed.warehouseId,
    toWarehouseId: placed.toWarehouseId ?? null,
    totalCost: costed.length === 0 ? null : totalCostOf(costed),
    items: placed.items.flatMap(({ skuId, quantity, unitCost }) => {
      const state = stateOf.get(skuId)
      // The SKU was deleted since it was found.
      if (state === undefined) return []
      const level = state.levels.find((one) => one.warehouseId === placed.warehouseId)
      const stock = level?.quantity ?? 0
      const after =
        unitCost === undefined ? state : averageAfterReceipt(state, state.onHand, { quantity, unitCost })
      return [
        {
          skuId,
          name: nameOf.get(skuId)!,
          code: state.code,
          quantity,
          stock,
          available: stock - (level?.reserved ?? 0),
          change: changeOf.get(skuId)!,
          isShort: short.has(skuId),
          averageCost: unitCostOf(state),
          averageCostAfter: unitCostOf(after),
        },
      ]
    }),
  }
}
