import { invalidField, Refused } from '../../../errors.ts'
import { largestRemainder } from '../../../lib/amounts/money.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { netOf, type OrderStatus, paymentOf } from '../rules.ts'

/** A line of an order, and what was returned of it so far. Money in đồng. */
export type SoldLine = {
  id: ObjectId
  name: string
  quantity: number
  price: number
  discount: number
  returnedQuantity: number
  returnedAmount: number
}

/** What can still be returned of a line: pieces, and what all of them together cost in đồng. */
export type LeftOfLine = { quantity: number; amount: number }

/** Pieces of a line of an order that the customer brings back. */
export type AskedReturnLine = { orderItemId: ObjectId; quantity: number }

/** A line of a return; `amount` is what its pieces cost, in đồng. */
export type ReturnLine = AskedReturnLine & { amount: number }

/**
 * What can still be returned of each line (G-123), in the order of `lines`. What the goods of the order cost is its price without
 * the shipping fee; it is divided over the lines in proportion to their amounts, by largest remainder, so that the lines together
 * give back exactly what was paid for the goods.
 */
export function leftOfLines(
  order: { price: number; shippingFee: number },
  lines: readonly SoldLine[],
): LeftOfLine[] {
  if (lines.length === 0) return []
  const goods = Math.max(0, order.price - order.shippingFee)
  const amounts = lines.map(({ quantity, price, discount }) => Math.max(0, quantity * price - discount))
  return largestRemainder(goods, amounts).map((share, index) => {
    const line = lines[index]!
    return { quantity: line.quantity - line.returnedQuantity, amount: share - line.returnedAmount }
  })
}

/**
 * What pieces of a line cost, in đồng: their share of what is left, rounded down; the last pieces get all of it, so no đồng is lost
 * or given twice.
 */
export function amountOfPieces(left: LeftOfLine, quantity: number): number {
  if (quantity === left.quantity) return left.amount
  return Number((BigInt(left.amount) * BigInt(quantity)) / BigInt(left.quantity))
}

/** The most returns of one order: reading them lists them all. */
export const MOST_RETURNS = 1000

/** @throws Refused TOO_MANY_RETURNS if the order may not have another return. */
export function assertRoomForReturn(returnCount: number): void {
  if (returnCount >= MOST_RETURNS) throw new Refused('TOO_MANY_RETURNS', { most: MOST_RETURNS })
}

type ReturnedOrder = {
  status: OrderStatus
  price: number
  returned_amount: number
  paid_amount: number
  is_paid: boolean
}

/**
 * A return of goods of an order (G-123): its lines with their amounts, what it lowers the order by (`amount`: the lines less the fee
 * that the shop keeps), and the payment after the refund. `lefts` holds for each line of `lines` what is left of it.
 * @throws Refused ORDER_NOT_RETURNABLE unless the order is completed, RETURN_ABOVE_SOLD naming every such line, REFUND_ABOVE_CREDIT
 * for a refund of more than the customer has paid too much after it; ValidationError for a line that is not the order's or is named
 * twice, and for a fee above the lines.
 */
export function returnOf(
  order: ReturnedOrder,
  lines: readonly SoldLine[],
  lefts: readonly LeftOfLine[],
  asked: { lines: readonly AskedReturnLine[]; fee: number; refundAmount: number },
): { lines: ReturnLine[]; amount: number; paidAmount: number; payment: ReturnType<typeof paymentOf> } {
  const placeOf = new Map(lines.map(({ id }, place) => [id, place]))
  const firstAt = new Map<ObjectId, number>()
  const above: string[] = []
  const returned = asked.lines.map(({ orderItemId, quantity }, index): ReturnLine => {
    const path = ['lines', index, 'orderItemId']
    const place = placeOf.get(orderItemId)
    if (place === undefined) throw invalidField(path, 'order.unknownLine')
    const first = firstAt.get(orderItemId)
    if (first !== undefined) throw invalidField(path, 'order.lineTwice', { first })
    firstAt.set(orderItemId, index)
    const left = lefts[place]!
    if (quantity <= left.quantity) return { orderItemId, quantity, amount: amountOfPieces(left, quantity) }
    above.push(`${lines[place]!.name}: ${quantity} / ${left.quantity}`)
    return { orderItemId, quantity, amount: 0 }
  })
  if (order.status !== 'completed') {
    throw new Refused('ORDER_NOT_RETURNABLE', { status: { orderStatus: order.status } })
  }
  if (above.length > 0) throw new Refused('RETURN_ABOVE_SOLD', { lines: above.join('; ') })
  const cost = returned.reduce((sum, line) => sum + line.amount, 0)
  if (asked.fee > cost) throw invalidField(['fee'], 'number.max', { limit: cost })
  const amount = cost - asked.fee
  const price = netOf(order) - amount
  const credit = Math.max(0, order.paid_amount - price)
  const { refundAmount } = asked
  if (refundAmount > credit) throw new Refused('REFUND_ABOVE_CREDIT', { refundAmount, credit })
  const paidAmount = order.paid_amount - refundAmount
  const { status, paid_amount, is_paid: isPaid } = order
  const payment = paymentOf({ status, price, paidAmount: paid_amount, isPaid }, paidAmount)
  return { lines: returned, amount, paidAmount, payment }
}
