import { lineName } from '../../lib/line-name.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { presentWho } from '../../lib/who.ts'
import type { EntryPreview } from './preview-entry.ts'
import type { SkuStockRow } from './sql/copied.ts'
import type { CostRow } from './sql/costs.ts'
import type { MovementRow } from './sql/entries.ts'
import type { EntryDetailRow, EntryMovementRow, EntryRow } from './sql/entry-list.ts'
import type { SupplierRow } from './sql/suppliers.ts'
import type { StockDifference } from './sql/verify.ts'
import type { WarehouseRow } from './sql/warehouses.ts'

export function presentWarehouse(row: WarehouseRow, shopId: ObjectId) {
  return {
    _id: row.id,
    id: row.id,
    __v: row.version,
    shopId,
    name: row.name,
    address: row.address,
    isDefault: row.is_default,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export function presentSkuStock(row: SkuStockRow) {
  const warehouses = (row.warehouses ?? []).map(({ id, quantity, reserved }) => ({
    warehouseId: id,
    quantity,
    reserved,
    available: quantity - reserved,
  }))
  return {
    _id: row.id,
    id: row.id,
    skuId: row.id,
    itemId: row.product_id,
    stock_quantity: warehouses.reduce((sum, { available }) => sum + available, 0),
    warehouses,
  }
}

/** The entries whose costs the caller may see (G-38): all, or only those that the caller recorded. */
export type CostsShown = { all: boolean; ofEntriesBy: ObjectId | null }

function areShown(costs: CostsShown, { recorded_by: by }: Pick<EntryRow, 'recorded_by'>): boolean {
  return costs.all || (by !== null && by.id === costs.ofEntriesBy)
}

export function presentEntry(row: EntryRow, shopId: ObjectId, costs: CostsShown) {
  return {
    _id: row.id,
    id: row.id,
    shopId,
    type: row.type,
    warehouseId: row.warehouse_id,
    toWarehouseId: row.to_warehouse_id,
    supplier: row.supplier,
    note: row.note,
    recordedBy: presentWho(row.recorded_by),
    createdAt: new Date(row.created_at).toISOString(),
    itemCount: row.item_count,
    added: row.added,
    removed: row.removed,
    totalCost: areShown(costs, row) ? row.total_cost : null,
  }
}

export function presentEntryDetail(row: EntryDetailRow, shopId: ObjectId, costs: CostsShown) {
  const showsCosts = areShown(costs, row)
  return {
    ...presentEntry(row, shopId, costs),
    movements: row.movements.map((movement) => presentEntryMovement(movement, showsCosts)),
  }
}

function presentEntryMovement(row: EntryMovementRow, showsCosts: boolean) {
  const name = lineName({ name: row.name, productName: row.product_name })
  return { ...presentMovement(row, showsCosts), name, code: row.code }
}

/** `totalCost` comes from the costs in the request, so the caller knows it anyway. */
export function presentEntryPreview(preview: EntryPreview, showsCosts: boolean) {
  const { warehouseId, toWarehouseId, totalCost, items } = preview
  return {
    warehouseId,
    toWarehouseId,
    totalCost,
    items: items.map((item) => ({
      skuId: item.skuId,
      name: item.name,
      code: item.code,
      quantity: item.quantity,
      stock: item.stock,
      available: item.available,
      change: item.change,
      isShort: item.isShort,
      averageCost: showsCosts ? item.averageCost : null,
      averageCostAfter: showsCosts ? item.averageCostAfter : null,
    })),
  }
}

export function presentSupplier(row: SupplierRow) {
  return { _id: row.id, id: row.id, name: row.name, lastReceivedAt: row.last_received_at.toISOString() }
}

export function presentCost(row: CostRow) {
  return {
    _id: row.id,
    id: row.id,
    skuId: row.id,
    averageCost: row.unit_cost,
    updatedAt: row.updated_at.toISOString(),
  }
}

export function presentMovement(row: MovementRow, showsCosts: boolean) {
  return {
    _id: row.id,
    id: row.id,
    skuId: row.sku_id,
    warehouseId: row.warehouse_id,
    type: row.type,
    quantity: row.quantity,
    unitCost: showsCosts ? row.unit_cost : null,
    counted: row.counted,
    entryId: row.entry_id,
    orderId: row.order_id,
    note: row.note,
    createdAt: new Date(row.created_at).toISOString(),
  }
}

export function presentDifference(row: StockDifference) {
  return {
    number: row.number,
    productId: row.product_id,
    skuId: row.sku_id,
    warehouseId: row.warehouse_id,
    stored: row.stored,
    derived: row.derived,
  }
}
