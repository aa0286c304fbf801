import { invalidField } from '../../errors.ts'
import { isObjectId, normalizeObjectId, type ObjectId } from '../../lib/object-id.ts'

/** The manual changes of stock (G-38): in, out, counted, moved to another warehouse. */
export const ENTRY_TYPES = ['receive', 'issue', 'count', 'transfer'] as const
export type EntryType = (typeof ENTRY_TYPES)[number]

/** `sale` is the stock that a completed order takes out. */
export const MOVEMENT_TYPES = [...ENTRY_TYPES, 'order'] as const
export type MovementType = (typeof MOVEMENT_TYPES)[number]

/** An entry; `quantity` in pieces, in a count the counted quantity. Without `warehouseId`: the default warehouse. */
export type Entry = {
  type: EntryType
  warehouseId?: ObjectId
  toWarehouseId?: ObjectId
  items: { skuId: ObjectId; quantity: number }[]
  note?: string
}

/** An entry's places once they are known; `toWarehouseId` is a transfer's. */
export type PlacedEntry = Entry & { warehouseId: ObjectId }

/** A SKU's stock in a warehouse, in pieces. */
export type StockLevel = { skuId: ObjectId; warehouseId: ObjectId; quantity: number; reserved: number }

/** A change of a SKU's stock in a warehouse, in pieces; 0 where a count found what was expected. */
export type Movement = { skuId: ObjectId; warehouseId: ObjectId; quantity: number }

/** A SKU of which an entry would take more than is available. */
export type ShortSku = { skuId: ObjectId; wanted: number; available: number }

/**
 * The entry with its ids in lower case (G-38).
 * @throws ValidationError for an id that is none, a SKU named twice (its pieces in a count would be ambiguous),
 *   a quantity of 0 but in a count, and a target that a transfer lacks, shares with its source, or another has.
 */
export function readEntry(asked: Entry): Entry {
  const { type, warehouseId, toWarehouseId, items, ...rest } = asked
  if ((type === 'transfer') !== (toWarehouseId !== undefined)) {
    throw invalidField(
      ['toWarehouseId'],
      type === 'transfer' ? 'inventory.transferTarget' : 'inventory.transferOnly',
    )
  }
  const firstAt = new Map<ObjectId, number>()
  const read = items.map((item, index) => {
    const skuId = readId(item.skuId, ['items', index, 'skuId'], 'SKU')
    const first = firstAt.get(skuId)
    if (first !== undefined) throw invalidField(['items', index, 'skuId'], 'inventory.skuTwice', { first })
    firstAt.set(skuId, index)
    if (item.quantity === 0 && type !== 'count') {
      throw invalidField(['items', index, 'quantity'], 'number.min', { limit: 1 })
    }
    return { skuId, quantity: item.quantity }
  })
  return {
    ...rest,
    type,
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

/** The refusal of an id that names nothing of the shop. */
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
  return entry.items.map(({ skuId, quantity }) => {
    if (type === 'receive') return { skuId, warehouseId, quantity }
    if (type === 'issue') return { skuId, warehouseId, quantity: -quantity }
    return { skuId, warehouseId, quantity: quantity - (levelOf.get(`${skuId} ${warehouseId}`) ?? 0) }
  })
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
 * The SKUs of which an issue or a transfer would take more than the warehouse has free of orders, in the order of the
 * items. A receipt and a count are never short: a count states the stock, even if more is reserved.
 */
export function shortSkus(entry: PlacedEntry, levels: readonly StockLevel[]): ShortSku[] {
  if (entry.type !== 'issue' && entry.type !== 'transfer') return []
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
