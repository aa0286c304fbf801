import type { ObjectId } from '../../lib/object-id.ts'
import type { ShopEvent } from '../webhooks/outbox/event-types.ts'
import type { StockLevel } from './rules.ts'

/** The most items in one event. */
const MOST_ITEMS = 1000

/** The event `stock.changed` of one change, with the stock as it is afterwards (G-62). */
export function stockChanged(change: {
  reason: string
  orderId: ObjectId | null
  levels: (StockLevel & { productId: ObjectId })[]
  at: Date
}): ShopEvent {
  const { reason, orderId, levels, at } = change
  const items = levels.slice(0, MOST_ITEMS).map(({ productId, skuId, warehouseId, quantity, reserved }) => ({
    productId,
    skuId,
    warehouseId,
    quantity,
    reserved,
  }))
  return {
    type: 'stock.changed',
    data: { reason, orderId, items, isCut: levels.length > MOST_ITEMS },
    at,
  }
}
