import { sqlProblem } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { invalidField } from '../../errors.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { lineName, outOfStock } from '../orders/rules.ts'
import { recordEvent } from '../webhooks/outbox/sql.ts'
import {
  changedLevels,
  type Entry,
  movementsOf,
  type PlacedEntry,
  readEntry,
  shortSkus,
  unknownReference,
  warehousesOf,
} from './rules.ts'
import { type EntryParties, findEntryParties, insertEntry, lockStock } from './sql/entries.ts'
import { stockChanged } from './stock-changed.ts'

/**
 * Enters goods received, issued, counted or transferred, all of it or nothing (G-38).
 * @throws ValidationError as `readEntry`, and for a SKU or a warehouse that is not the shop's; Refused OUT_OF_STOCK
 *   naming every short SKU when the shop denies overselling (G-43).
 */
export async function recordEntry(
  deps: Pick<Deps, 'db' | 'ids' | 'clock'>,
  shopId: ObjectId,
  asked: Entry,
  id: ObjectId,
): Promise<void> {
  const { db, ids, clock } = deps
  const entry = readEntry(asked)
  const skuIds = entry.items.map((item) => item.skuId)
  const { warehouseId, toWarehouseId } = entry
  const parties = await findEntryParties(db, shopId, { warehouseId, toWarehouseId, skuIds })
  const skus = new Map(parties.skus.map((sku) => [sku.id, sku]))
  const placed = placeEntry(entry, parties)
  const now = clock.now()
  await db
    .transaction()
    .execute(async (trx) => {
      const levels = await lockStock(trx, shopId, skuIds, warehousesOf(placed))
      const short = parties.oversell === 'deny' ? shortSkus(placed, levels) : []
      if (short.length > 0)
        throw outOfStock(short.map((one) => ({ ...one, name: lineName(skuOf(one.skuId)) })))
      const movements = movementsOf(placed, levels)
      await insertEntry(trx, shopId, {
        id,
        type: placed.type,
        warehouseId: placed.warehouseId,
        toWarehouseId: placed.toWarehouseId,
        note: placed.note ?? '',
        movements: movements.map((movement) => ({ ...movement, id: ids.next() })),
        now,
      })
      const changed = changedLevels(levels, movements).map((level) => ({
        ...level,
        productId: skuOf(level.skuId).productId,
      }))
      if (changed.length > 0) {
        const event = stockChanged({ reason: placed.type, orderId: null, levels: changed, at: now })
        await recordEvent(trx, shopId, event)
      }
    })
    .catch((error) => {
      // A SKU or a warehouse was deleted since it was read.
      const problem = sqlProblem(error)
      if (problem?.state !== '23503') throw error
      throw problem.constraint === 'stock_shop_id_sku_id_fkey'
        ? unknownReference(['items'], 'SKU')
        : unknownReference(['warehouseId'], 'warehouse')
    })

  function skuOf(skuId: ObjectId): EntryParties['skus'][number] {
    return skus.get(skuId)!
  }
}

function placeEntry(entry: Entry, parties: EntryParties): PlacedEntry {
  if (parties.warehouseId === null) throw unknownReference(['warehouseId'], 'warehouse')
  if (entry.toWarehouseId !== undefined && parties.toWarehouseId === null) {
    throw unknownReference(['toWarehouseId'], 'warehouse')
  }
  if (parties.toWarehouseId === parties.warehouseId) {
    throw invalidField(['toWarehouseId'], 'inventory.sameWarehouse')
  }
  const known = new Set(parties.skus.map((sku) => sku.id))
  const unknown = entry.items.findIndex((item) => !known.has(item.skuId))
  if (unknown >= 0) throw unknownReference(['items', unknown, 'skuId'], 'SKU')
  return { ...entry, warehouseId: parties.warehouseId }
}
