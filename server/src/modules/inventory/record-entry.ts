import { againIfDeleted } from '../../db/again-if-deleted.ts'
import type { Db } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { invalidField } from '../../errors.ts'
import { lineName } from '../../lib/line-name.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { outOfStock } from '../orders/rules.ts'
import { recordEvent } from '../webhooks/outbox/sql.ts'
import { averageAfterReceipt, totalCostOf } from './average-cost.ts'
import {
  type CostedItem,
  changedItems,
  changedLevels,
  costedItems,
  type Entry,
  movementsOf,
  type PlacedEntry,
  type ReadEntry,
  readEntry,
  shortSkus,
  stockChangedSince,
  unknownReference,
  warehousesOf,
} from './rules.ts'
import { listOnHand, lockCosts, type SkuCost, updateCosts } from './sql/costs.ts'
import { type EntryParties, findEntryParties, insertEntry, lockStock } from './sql/entries.ts'
import { upsertSupplier } from './sql/suppliers.ts'
import { stockChanged } from './stock-changed.ts'

/**
 * Books goods received, issued, counted or transferred, all lines or none (G-38). Uses as many statements for a thousand lines as
 * for one.
 * @throws ValidationError as `readEntry`, and for a SKU or warehouse that does not belong to the shop; Refused OUT_OF_STOCK
 * naming every short SKU, STOCK_CHANGED naming every SKU whose stock differs from the stock that a count was shown,
 * AMOUNT_TOO_LARGE.
 */
export async function recordEntry(
  deps: Pick<Deps, 'db' | 'ids' | 'clock'>,
  shopId: ObjectId,
  asked: Entry,
  id: ObjectId,
  by: ObjectId | null,
): Promise<void> {
  const { db } = deps
  const entry = readEntry(asked)
  const skuIds = entry.items.map((item) => item.skuId)
  const { warehouseId, toWarehouseId } = entry
  return againIfDeleted(async () => {
    const parties = await findEntryParties(db, shopId, { warehouseId, toWarehouseId, skuIds })
    const skus = new Map(parties.skus.map((sku) => [sku.id, sku]))
    const skuOf = (skuId: ObjectId) => skus.get(skuId)!
    const placed = placeEntry(entry, parties)
    const { oversell } = parties
    await db.transaction().execute((trx) => bookEntry(trx, deps, shopId, placed, { id, by, oversell, skuOf }))
  })
}

type EntrySku = EntryParties['skus'][number]

/**
 * Books an entry whose SKUs and warehouses are known, within a transaction.
 * @throws Refused as {@link recordEntry}; a foreign key violation if one of them was deleted meanwhile.
 */
export async function bookEntry(
  trx: Db,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  shopId: ObjectId,
  placed: PlacedEntry,
  given: {
    id: ObjectId
    by: ObjectId | null
    oversell: EntryParties['oversell']
    skuOf(id: ObjectId): EntrySku
  },
): Promise<void> {
  const { skuOf } = given
  const costed = costedItems(placed)
  totalCostOf(costed)
  const skuIds = placed.items.map((item) => item.skuId)
  const levels = await lockStock(trx, shopId, skuIds, warehousesOf(placed))
  // Taken with the stock locked, so that the ledger lists changes of one stock in the order in which they were made.
  const now = clock.now()
  const changedSince = changedItems(placed, levels)
  if (changedSince.length > 0) throw stockChangedSince(changedSince.map(named))
  const short = shortSkus(placed, levels, given.oversell)
  if (short.length > 0) throw outOfStock(short.map(named))
  if (costed.length > 0) await bookCosts(trx, shopId, costed, now)
  if (placed.supplier !== '') {
    await upsertSupplier(trx, shopId, { id: ids.next(), name: placed.supplier, now })
  }
  const movements = movementsOf(placed, levels)
  await insertEntry(trx, shopId, {
    id: given.id,
    type: placed.type,
    warehouseId: placed.warehouseId,
    toWarehouseId: placed.toWarehouseId,
    supplier: placed.supplier,
    note: placed.note,
    by: given.by,
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

  function named<T extends { skuId: ObjectId }>(one: T): T & { name: string } {
    return { ...one, name: lineName(skuOf(one.skuId)) }
  }
}

/**
 * Updates the average costs for a receipt whose stock is locked but not yet booked. Receipts of a SKU into several warehouses
 * wait for one another here, so that each sees the result of the previous one; sales neither wait nor are waited for.
 */
async function bookCosts(trx: Db, shopId: ObjectId, costed: CostedItem[], now: Date): Promise<void> {
  const skuIds = costed.map(({ skuId }) => skuId)
  const before = new Map((await lockCosts(trx, shopId, skuIds, now)).map((cost) => [cost.skuId, cost]))
  const onHand = new Map((await listOnHand(trx, shopId, skuIds)).map((one) => [one.skuId, one.quantity]))
  const after = costed.map(
    (item): SkuCost => ({
      skuId: item.skuId,
      ...averageAfterReceipt(before.get(item.skuId)!, onHand.get(item.skuId) ?? 0, item),
    }),
  )
  await updateCosts(trx, shopId, after, now)
}

/**
 * The entry with its warehouses, which are checked to exist.
 * @throws ValidationError naming the warehouse or the SKU that the shop does not have.
 */
export function placeEntry(entry: ReadEntry, parties: EntryParties): PlacedEntry {
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
