import type { Deps } from '../../../deps.ts'
import { NotFound } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { findOpeningDebt } from '../../customers/opening-debts/sql.ts'
import { lockCustomer } from '../../customers/sql.ts'
import type { ShopEvent } from '../../webhooks/outbox/event-types.ts'
import { recordEvents } from '../../webhooks/outbox/sql.ts'
import { netOf, paidEvent, paymentOf } from '../rules.ts'
import { type PaymentDraft, updatePayments } from '../sql/change.ts'
import { spreadPayment } from './rules.ts'
import {
  type DebtPaymentRow,
  findDebtPayment,
  insertDebtPayment,
  lockOwedOrders,
  payOpeningDebt,
} from './sql.ts'

/**
 * Records what a customer pays towards their debt (G-46): first of what they owed before the first order (G-124), then of the
 * unpaid orders, the oldest first, in one transaction, with a payment record for each. The customer is locked before the orders, as it is when the customer's name
 * changes. The payment records have the method of this payment; the orders keep their own method, so the counts of the shop's
 * orders do not change.
 * @throws NotFound; Refused as `spreadPayment`; the unique violation of `debt_payments_pkey` for an id in use.
 */
export async function payDebt(
  deps: Pick<Deps, 'db' | 'ids' | 'clock'>,
  shopId: ObjectId,
  customerId: ObjectId,
  asked: { id: ObjectId; amount: number; method: string; note: string; by: ObjectId | null },
): Promise<DebtPaymentRow> {
  const { id, amount, method, note, by } = asked
  return deps.db.transaction().execute(async (trx) => {
    if ((await lockCustomer(trx, shopId, customerId)) === undefined) throw new NotFound('customer')
    const before = await findOpeningDebt(trx, shopId, customerId)
    const { owed, isCut } = await lockOwedOrders(trx, shopId, customerId)
    const now = deps.clock.now()
    await insertDebtPayment(trx, shopId, { id, customerId, amount, method, note, by, now })
    const lefts = owed.map((order) => ({ id: order.id, left: netOf(order) - order.paid_amount }))
    const left = before === undefined ? 0 : before.amount - before.paid_amount
    const { opening, parts } = spreadPayment(amount, { opening: left, owed: lefts, isCut })
    if (opening > 0) {
      const part = { id: deps.ids.next(), customerId, amount: opening }
      await payOpeningDebt(trx, shopId, part, { method, note, by, debtPaymentId: id, now })
    }
    const payments: PaymentDraft[] = []
    const events: ShopEvent[] = []
    for (const [at, part] of parts.entries()) {
      const order = owed[at]!
      const paidAmount = order.paid_amount + part.amount
      const payment = paymentOf(
        { status: order.status, price: netOf(order), paidAmount: order.paid_amount, isPaid: order.is_paid },
        paidAmount,
      )
      payments.push({ ...payment, id: deps.ids.next(), orderId: order.id, paidAmount })
      if (payment.isPaid) events.push(paidEvent(order, { paidAmount, paymentMethod: method, at: now }))
    }
    if (payments.length > 0)
      await updatePayments(trx, shopId, payments, { method, note, by, debtPaymentId: id, now })
    await recordEvents(trx, shopId, events)
    return (await findDebtPayment(trx, shopId, id))!
  })
}
