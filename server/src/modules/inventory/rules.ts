import { invalidField, Refused } from '../../errors.ts'
import { isObjectId, normalizeObjectId, type ObjectId } from '../../lib/object-id.ts'
import { toNfc } from '../../lib/text/text.ts'

/** The manual changes of stock (G-38): in, out, counted, moved to another warehouse. */
export const ENTRY_TYPES = ['receive', 'issue', 'count', 'transfer'] as const
export type EntryType = (typeof ENTRY_TYPES)[number]

/** The most pieces of a line: so few that a warehouse's stock of a SKU stays a safe integer, however often they are received. */
export const MAX_PIECES = 1_000_000_000
/** In đồng. */
export const MOST_UNIT_COST = 1_000_000_000_000

/** `order` is the stock that a completed order takes out, `return` what a customer brings back of one (G-123). */
export const MOVEMENT_TYPES = [...ENTRY_TYPES, 'order', 'return'] as const
export type MovementType = (typeof MOVEMENT_TYPES)[number]

/**
 * A line of an entry; `quantity` in pieces, for a count the counted quantity. `unitCost` is for receipts, in đồng a piece;
 * `expected` for counts, the stock that was shown before the count is booked.
 */
export type EntryItem = { skuId: ObjectId; quantity: number; unitCost?: number; expected?: number }

/** An entry. Without `warehouseId`: the default warehouse; `supplier` is for receipts. */
export type Entry = {
  type: EntryType
  warehouseId?: ObjectId
  toWarehouseId?: ObjectId
  supplier?: string
  items: EntryItem[]
  note?: string
}

/** An entry with its warehouse known; `toWarehouseId` is for transfers. */
export type PlacedEntry = ReadEntry & { warehouseId: ObjectId }

/** An entry as `readEntry` returns it. */
export type ReadEntry = Entry & { supplier: string; note: string }

/** A SKU's stock in a warehouse, in pieces. */
export type StockLevel = { skuId: ObjectId; warehouseId: ObjectId; quantity: number; reserved: number }

/**
 * A change of a SKU's stock in a warehouse, in pieces; 0 if a count found what was expected. `unitCost` is for receipts, in đồng;
 * `counted` is the quantity that a count found.
 */
export type Movement = {
  skuId: ObjectId
  warehouseId: ObjectId
  quantity: number
  unitCost?: number
  counted?: number
}

/** A line of a receipt with a cost. */
export type CostedItem = { skuId: ObjectId; quantity: number; unitCost: number }

/** A counted SKU whose stock differs from the stock that was shown. */
export type ChangedItem = { skuId: ObjectId; shown: number; now: number }

/** A SKU of which an entry would take more than is available. */
export type ShortSku = { skuId: ObjectId; wanted: number; available: number }

/**
 * The entry with its ids in lower case and its texts in NFC, the supplier without surrounding spaces (G-38).
 * @throws ValidationError for an invalid id; a SKU named twice (its pieces in a count would be ambiguous); a quantity of 0 except
 * in a count; a transfer without a target; a target on another kind of entry; a supplier or a cost on an entry that is not a
 * receipt; a shown stock on an entry that is not a count.
 */
export function readEntry(asked: Entry): ReadEntry {
  const { type, warehouseId, toWarehouseId, items, supplier = '', note = '' } = asked
  if ((type === 'transfer') !== (toWarehouseId !== undefined)) {
    throw invalidField(
      ['toWarehouseId'],
      type === 'transfer' ? 'inventory.transferTarget' : 'inventory.transferOnly',
    )
  }
  if (supplier !== '' && type !== 'receive') throw invalidField(['supplier'], 'inventory.receiveOnly')
  const firstAt = new Map<ObjectId, number>()
  const read = items.map((item, index) => {
    const skuId = readId(item.skuId, ['items', index, 'skuId'], 'SKU')
    const first = firstAt.get(skuId)
    if (first !== undefined) throw invalidField(['items', index, 'skuId'], 'inventory.skuTwice', { first })
    firstAt.set(skuId, index)
    if (item.quantity === 0 && type !== 'count') {
      throw invalidField(['items', index, 'quantity'], 'number.min', { limit: 1 })
    }
    const { quantity, unitCost, expected } = item
    if (unitCost !== undefined && type !== 'receive') {
      throw invalidField(['items', index, 'unitCost'], 'inventory.receiveOnly')
    }
    if (expected !== undefined && type !== 'count') {
      throw invalidField(['items', index, 'expected'], 'inventory.countOnly')
    }
    return {
      skuId,
      quantity,
      ...(unitCost === undefined ? {} : { unitCost }),
      ...(expected === undefined ? {} : { expected }),
    }
  })
  return {
    type,
    supplier: toNfc(supplier).trim(),
    note: toNfc(note),
    items: read,
    ...(warehouseId === undefined ? {} : { warehouseId: readId(warehouseId, ['warehouseId'], 'warehouse') }),
    ...(toWarehouseId === undefined
      ? {}
      : { toWarehouseId: readId(toWarehouseId, ['toWarehouseId'], 'warehouse') }),
  }
}

function readId(text: string, path: (string | number)[], kind: 'SKU' | 'warehouse'): ObjectId {
  if (isObjectId(text)) return normalizeObjectId(text)
  throw unknownReference(path, kind)
}

/** The refusal of an id that names nothing in the shop. */
export function unknownReference(path: (string | number)[], kind: 'SKU' | 'warehouse') {
  return invalidField(path, 'shop.unknown', { kind })
}

/** The warehouses whose stock an entry changes. */
export function warehousesOf(entry: PlacedEntry): ObjectId[] {
  return entry.toWarehouseId === undefined ? [entry.warehouseId] : [entry.warehouseId, entry.toWarehouseId]
}

/**
 * The movements of an entry (G-38), in the order of its items, a transfer's source before its target. `levels` holds
 * the stock of every SKU in every warehouse of the entry.
 */
export function movementsOf(entry: PlacedEntry, levels: readonly StockLevel[]): Movement[] {
  const { type, warehouseId, toWarehouseId } = entry
  const levelOf = new Map(levels.map((level) => [`${level.skuId} ${level.warehouseId}`, level.quantity]))
  if (type === 'transfer') {
    return entry.items.flatMap(({ skuId, quantity }) => [
      { skuId, warehouseId, quantity: -quantity },
      { skuId, warehouseId: toWarehouseId!, quantity },
    ])
  }
  return entry.items.map(({ skuId, quantity, unitCost }) => {
    if (type === 'receive') {
      return { skuId, warehouseId, quantity, ...(unitCost === undefined ? {} : { unitCost }) }
    }
    if (type === 'issue') return { skuId, warehouseId, quantity: -quantity }
    const before = levelOf.get(`${skuId} ${warehouseId}`) ?? 0
    return { skuId, warehouseId, quantity: quantity - before, counted: quantity }
  })
}

/** The lines of a receipt that have a cost; none for any other entry. */
export function costedItems({ items }: Pick<Entry, 'items'>): CostedItem[] {
  return items.flatMap(({ skuId, quantity, unitCost }) =>
    unitCost === undefined ? [] : [{ skuId, quantity, unitCost }],
  )
}

/**
 * The lines of a count whose stock differs from the stock that was shown, in the order of the items; lines without `expected` are
 * left out.
 */
export function changedItems(entry: PlacedEntry, levels: readonly StockLevel[]): ChangedItem[] {
  const levelOf = new Map(levels.map((level) => [`${level.skuId} ${level.warehouseId}`, level.quantity]))
  return entry.items.flatMap(({ skuId, expected }) => {
    const now = levelOf.get(`${skuId} ${entry.warehouseId}`) ?? 0
    return expected === undefined || expected === now ? [] : [{ skuId, shown: expected, now }]
  })
}

/** The refusal that names every counted SKU whose stock has changed since it was shown. */
export function stockChangedSince(changed: readonly { name: string; shown: number; now: number }[]): Refused {
  const named = changed.map(({ name, shown, now }) => `${name}: ${shown} → ${now}`)
  return new Refused('STOCK_CHANGED', { changes: named.join('; ') })
}

/** The stock after the movements, of the SKUs and warehouses that they change, in the order of the movements. */
export function changedLevels(levels: readonly StockLevel[], movements: readonly Movement[]): StockLevel[] {
  const before = new Map(levels.map((level) => [`${level.skuId} ${level.warehouseId}`, level]))
  return movements
    .filter((movement) => movement.quantity !== 0)
    .map(({ skuId, warehouseId, quantity }) => {
      const level = before.get(`${skuId} ${warehouseId}`)
      return {
        skuId,
        warehouseId,
        quantity: (level?.quantity ?? 0) + quantity,
        reserved: level?.reserved ?? 0,
      }
    })
}

/**
 * The SKUs of which an issue or a transfer would take more than the warehouse has available, in the order of the items. A receipt
 * and a count are never short: a count states the stock, even if more is reserved. An issue may go below 0 if the shop allows
 * overselling; a transfer never may, since missing pieces cannot be moved.
 */
export function shortSkus(
  entry: PlacedEntry,
  levels: readonly StockLevel[],
  oversell: 'allow' | 'deny',
): ShortSku[] {
  const isShort = entry.type === 'transfer' || (entry.type === 'issue' && oversell === 'deny')
  if (!isShort) return []
  const free = new Map(
    levels
      .filter((level) => level.warehouseId === entry.warehouseId)
      .map((level) => [level.skuId, level.quantity - level.reserved]),
  )
  return entry.items
    .map(({ skuId, quantity }) => ({
      skuId,
      wanted: quantity,
      available: Math.max(free.get(skuId) ?? 0, 0),
    }))
    .filter(({ wanted, available }) => wanted > available)
}
