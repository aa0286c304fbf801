import { presentWho } from '../../../lib/who.ts'
import { leftOfLines } from './rules.ts'
import type { ReturnRow, ReturnsOfOrder } from './sql.ts'

/** A return of goods (G-123). */
export function presentReturn(row: ReturnRow) {
  const { id, orderId, amount, fee, refundAmount, refundMethod, warehouseId, note, by, createdAt, lines } =
    row
  return {
    _id: id,
    id,
    orderId,
    amount,
    fee,
    refundAmount,
    paymentMethod: refundMethod,
    warehouseId,
    note,
    by: presentWho(by),
    createdAt: new Date(createdAt).toISOString(),
    lines: lines.map(({ orderItemId, quantity, amount: cost }) => ({ orderItemId, quantity, amount: cost })),
  }
}

/** The returns of an order, and what is left of its lines. */
export function presentReturns(order: ReturnsOfOrder) {
  const lefts = leftOfLines(order, order.lines)
  return {
    returnedAmount: order.returnedAmount,
    lines: order.lines.map(({ id, name, quantity }, place) => ({
      orderItemId: id,
      name,
      quantity,
      quantityLeft: lefts[place]!.quantity,
      amountLeft: lefts[place]!.amount,
    })),
    returns: order.returns.map(presentReturn),
  }
}
