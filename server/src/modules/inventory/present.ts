import type { ObjectId } from '../../lib/object-id.ts'
import type { SkuStockRow } from './sql/copied.ts'
import type { EntryRow, MovementRow } from './sql/entries.ts'
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

export function presentEntry(row: EntryRow, shopId: ObjectId) {
  return {
    _id: row.id,
    id: row.id,
    shopId,
    type: row.type,
    warehouseId: row.warehouse_id,
    toWarehouseId: row.to_warehouse_id,
    note: row.note,
    createdAt: new Date(row.created_at).toISOString(),
    movements: row.movements.map(presentMovement),
  }
}

export function presentMovement(row: MovementRow) {
  return {
    _id: row.id,
    id: row.id,
    skuId: row.sku_id,
    warehouseId: row.warehouse_id,
    type: row.type,
    quantity: row.quantity,
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
