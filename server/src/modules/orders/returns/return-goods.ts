import { againIfDeleted } from '../../../db/again-if-deleted.ts'
import type { Trx } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { invalidField, NotFound } from '../../../errors.ts'
import type { Edit } from '../../../lib/edit.ts'
import { normalizeObjectId, type ObjectId } from '../../../lib/object-id.ts'
import { toNfc } from '../../../lib/text/text.ts'
import { assertVersion } from '../../concurrent-edits/assert-version.ts'
import { unknownReference } from '../../inventory/rules.ts'
import { lockStock } from '../../inventory/sql/entries.ts'
import { stockChanged } from '../../inventory/stock-changed.ts'
import type { ShopEvent } from '../../webhooks/outbox/event-types.ts'
import { recordEvents } from '../../webhooks/outbox/sql.ts'
import { paidEvent, readPaymentMethod } from '../rules.ts'
import { lockOrder, updatePayments } from '../sql/change.ts'
import { type AskedReturnLine, assertRoomForReturn, leftOfLines, returnOf } from './rules.ts'
import {
  findReturn,
  findReturnParties,
  findSold,
  insertReturn,
  lockTotals,
  type ReturnParties,
  type ReturnRow,
} from './sql.ts'

/** A return as requested. Without `warehouseId`: the default warehouse; without `paymentMethod`: the order's. */
export type AskedReturn = {
  lines: AskedReturnLine[]
  fee?: number
  refundAmount?: number
  paymentMethod?: string
  restock?: boolean
  warehouseId?: ObjectId
  note?: string
}

/**
 * Books goods of a completed order that the customer brings back (G-123), all lines or none, in one transaction: the order costs less,
 * the pieces are in stock again unless `restock` is false, and a refund is a payment record in the open shift of whoever books it.
 * @throws NotFound; RecordChanged; ValidationError for a warehouse that is not the shop's or is not used, and as `returnOf`; Refused TOO_MANY_RETURNS, and as `returnOf`;
 * the unique violation of `order_returns_pkey` for an id in use.
 */
export async function returnGoods(
  deps: Pick<Deps, 'db' | 'ids' | 'clock'>,
  shopId: ObjectId,
  orderId: ObjectId,
  asked: AskedReturn,
  id: ObjectId,
  edit: Edit,
): Promise<ReturnRow> {
  const { restock = true } = asked
  if (!restock && asked.warehouseId !== undefined) throw invalidField(['warehouseId'], 'order.restockedOnly')
  const lines = asked.lines.map((line) => ({ ...line, orderItemId: normalizeObjectId(line.orderItemId) }))
  const named = asked.warehouseId === undefined ? undefined : normalizeObjectId(asked.warehouseId)
  return againIfDeleted(async () => {
    const parties = await findReturnParties(deps.db, shopId, orderId, named)
    if (parties === undefined) throw new NotFound('order')
    if (parties.warehouseId === null) throw unknownReference(['warehouseId'], 'warehouse')
    const placed = { ...asked, lines, warehouseId: restock ? parties.warehouseId : null }
    return deps.db
      .transaction()
      .execute((trx) => bookReturn(trx, deps, shopId, orderId, placed, { id, edit, items: parties.items }))
  })
}

/** A return whose warehouse is known: null if its pieces are not in stock again. */
type PlacedReturn = Omit<AskedReturn, 'restock' | 'warehouseId'> & { warehouseId: ObjectId | null }

async function bookReturn(
  trx: Trx,
  deps: Pick<Deps, 'ids' | 'clock'>,
  shopId: ObjectId,
  orderId: ObjectId,
  placed: PlacedReturn,
  { id, edit, items }: { id: ObjectId; edit: Edit; items: ReturnParties['items'] },
): Promise<ReturnRow> {
  const { lines, warehouseId, fee = 0, refundAmount = 0 } = placed
  const asks = new Set(lines.map(({ orderItemId }) => orderItemId))
  const returnedItems = items.filter((item) => asks.has(item.id))
  const skuIds = new Map(returnedItems.map((item) => [item.id, item.skuId]))
  if (warehouseId !== null) {
    await lockStock(trx, shopId, [...new Set(skuIds.values())], [warehouseId])
    await lockTotals(trx, shopId, [...new Set(returnedItems.map(({ productId }) => productId))])
  }
  const order = await lockOrder(trx, shopId, orderId)
  if (order === undefined) throw new NotFound('order')
  await assertVersion(trx, shopId, 'orders', order, edit)
  const sold = await findSold(trx, shopId, orderId)
  assertRoomForReturn(sold.returnCount)
  const returned = returnOf(order, sold.lines, leftOfLines(sold, sold.lines), { lines, fee, refundAmount })
  // Read after the locks, so that the records are in the order in which the totals followed each other.
  const now = deps.clock.now()
  const method =
    placed.paymentMethod === undefined ? order.payment_method : readPaymentMethod(placed.paymentMethod)
  const levels = await insertReturn(trx, shopId, {
    id,
    orderId,
    lines: returned.lines.map((line) => ({ ...line, skuId: skuIds.get(line.orderItemId)! })),
    amount: returned.amount,
    fee,
    refundAmount,
    refundMethod: refundAmount > 0 ? method : '',
    warehouseId,
    note: toNfc(placed.note ?? ''),
    by: edit.by,
    now,
  })
  const { payment, paidAmount } = returned
  const paymentDraft = { ...payment, id: deps.ids.next(), orderId, paidAmount }
  await updatePayments(trx, shopId, [paymentDraft], { method, note: '', by: edit.by, now })
  const { amount } = returned
  const { isPaid } = payment
  const data = { orderId, code: order.code, returnId: id, amount, refundAmount, isPaid }
  const events: ShopEvent[] = [{ type: 'order.returned', data, at: now }]
  if (isPaid && !order.is_paid) {
    const lowered = { ...order, returned_amount: order.returned_amount + amount }
    events.push(paidEvent(lowered, { paidAmount, paymentMethod: order.payment_method, at: now }))
  }
  if (levels.length > 0) events.push(stockChanged({ reason: 'return', orderId, levels, at: now }))
  await recordEvents(trx, shopId, events)
  return (await findReturn(trx, shopId, id))!
}
