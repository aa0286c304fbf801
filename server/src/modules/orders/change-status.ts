import type { Deps } from '../../deps.ts'
import { invalidField, NotFound } from '../../errors.ts'
import type { Edit } from '../../lib/edit.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { toNfc } from '../../lib/text/text.ts'
import { assertVersion } from '../concurrent-edits/assert-version.ts'
import type { Claim } from '../idempotency/hook.ts'
import { noteDone } from '../idempotency/sql.ts'
import { stockChanged } from '../inventory/stock-changed.ts'
import type { ShopEvent } from '../webhooks/outbox/event-types.ts'
import { recordEvents } from '../webhooks/outbox/sql.ts'
import { existingOrder } from './existing-order.ts'
import { movesTo, type OrderStatus } from './rules.ts'
import { endReservations, lockOrder, lockReservedStock, updateOrderStatus } from './sql/change.ts'
import type { OrderDetailRow } from './sql/read.ts'

/** What happens to an order's reservations in its final statuses (G-43). */
const RESERVATION_END: Partial<Record<OrderStatus, 'take' | 'free'>> = {
  completed: 'take',
  cancelled: 'free',
}

/**
 * Moves an order to a status (G-40): completion takes its pieces out of stock, cancelling frees them (G-43). An order that
 * already has the status does not change. If an earlier attempt with its key moved it, the order stays as it is, because others
 * may have moved it on since (G-10).
 * @throws NotFound; RecordChanged; ValidationError for a reason without a cancellation; Refused as `movesTo`.
 */
export async function changeOrderStatus(
  deps: Pick<Deps, 'db' | 'clock'>,
  shopId: ObjectId,
  orderId: ObjectId,
  asked: { status: OrderStatus; reasonCancel?: string },
  edit: Edit,
  claim: Claim | undefined,
): Promise<OrderDetailRow> {
  const { status } = asked
  if (asked.reasonCancel !== undefined && status !== 'cancelled') {
    throw invalidField(['reasonCancel'], 'order.reasonOfCancelled')
  }
  const reasonCancel = toNfc(asked.reasonCancel ?? '')
  const ending = RESERVATION_END[status]
  return deps.db.transaction().execute(async (trx) => {
    if (!(await noteDone(trx, shopId, claim))) return existingOrder(trx, shopId, orderId)
    if (ending !== undefined) await lockReservedStock(trx, shopId, orderId)
    const order = await lockOrder(trx, shopId, orderId)
    if (order === undefined) throw new NotFound('order')
    // Read after the locks, so that the movements are in the order in which the stock changed.
    const now = deps.clock.now()
    await assertVersion(trx, shopId, 'orders', order, edit)
    if (movesTo(order.status, status)) {
      const events: ShopEvent[] = [
        {
          type: 'order.status_changed',
          data: { orderId, code: order.code, from: order.status, to: status, reasonCancel },
          at: now,
        },
      ]
      if (ending !== undefined) {
        const levels = await endReservations(trx, shopId, orderId, ending, now)
        if (levels.length > 0) events.push(stockChanged({ reason: ending, orderId, levels, at: now }))
      }
      await updateOrderStatus(trx, shopId, orderId, { status, reasonCancel, by: edit.by, now })
      await recordEvents(trx, shopId, events)
    }
    return existingOrder(trx, shopId, orderId)
  })
}
