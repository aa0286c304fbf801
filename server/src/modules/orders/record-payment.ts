import type { Deps } from '../../deps.ts'
import { NotFound } from '../../errors.ts'
import type { Edit } from '../../lib/edit.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { toNfc } from '../../lib/text/text.ts'
import { assertVersion } from '../concurrent-edits/assert-version.ts'
import type { Claim } from '../idempotency/hook.ts'
import { noteDone } from '../idempotency/sql.ts'
import { recordEvent } from '../webhooks/outbox/sql.ts'
import { existingOrder } from './existing-order.ts'
import { netOf, paidEvent, paymentOf, readPaymentMethod } from './rules.ts'
import type { Taken } from './seller.ts'
import { insertMethodCorrection, lockOrder, updatePayments } from './sql/change.ts'
import type { OrderDetailRow } from './sql/read.ts'

/**
 * Sets the total paid of an order (G-40) and adds a payment record of the difference, so repeating the request adds nothing. If
 * only the method changes, what was paid by the old one moves to the new one. If an earlier attempt with its key did so, the
 * order stays as it is, because others may have changed its total since (G-10).
 * @throws NotFound; RecordChanged; Refused as `paymentOf`.
 */
export async function recordPayment(
  deps: Pick<Deps, 'db' | 'ids' | 'clock'>,
  shopId: ObjectId,
  orderId: ObjectId,
  asked: { paidAmount: number; paymentMethod?: string; note?: string },
  { sellerId, soldAt }: Pick<Taken, 'sellerId' | 'soldAt'>,
  edit: Edit,
  claim: Claim | undefined,
): Promise<OrderDetailRow> {
  const givenMethod = asked.paymentMethod === undefined ? undefined : readPaymentMethod(asked.paymentMethod)
  return deps.db.transaction().execute(async (trx) => {
    if (!(await noteDone(trx, shopId, claim))) return existingOrder(trx, shopId, orderId)
    const order = await lockOrder(trx, shopId, orderId)
    if (order === undefined) throw new NotFound('order')
    // Read after the lock, so that the records are in the order in which the totals followed each other.
    const now = deps.clock.now()
    await assertVersion(trx, shopId, 'orders', order, edit)
    const payment = paymentOf(
      { status: order.status, price: netOf(order), paidAmount: order.paid_amount, isPaid: order.is_paid },
      asked.paidAmount,
    )
    const paymentMethod = givenMethod ?? order.payment_method
    const isNew = payment.change !== 0 || payment.isPaid !== order.is_paid
    if (isNew || paymentMethod !== order.payment_method) {
      const { paidAmount } = asked
      const note = toNfc(asked.note ?? '')
      const id = deps.ids.next()
      const given = { method: paymentMethod, note, by: edit.by, takenBy: sellerId, soldAt, now }
      await updatePayments(trx, shopId, [{ ...payment, id, orderId, paidAmount }], given, paymentMethod)
      if (payment.change === 0 && paymentMethod !== order.payment_method) {
        const ids = { out: deps.ids.next(), in: deps.ids.next() }
        const correction = { ...given, from: order.payment_method, to: paymentMethod, ids }
        await insertMethodCorrection(trx, shopId, orderId, correction)
      }
      if (payment.isPaid && !order.is_paid) {
        await recordEvent(trx, shopId, paidEvent(order, { paidAmount, paymentMethod, at: now }))
      }
    }
    return existingOrder(trx, shopId, orderId)
  })
}
