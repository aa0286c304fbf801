import { Refused } from '../../errors.ts'
import { toBasisPoints } from '../../lib/amounts/vat.ts'
import { lineName } from '../../lib/line-name.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { isBlank } from '../../lib/text/text.ts'
import { storedLine } from '../../stored-text.ts'
import type { ShopEvent } from '../webhooks/outbox/event-types.ts'
import { computeAmounts, type OrderAmounts } from './amounts.ts'

/** What a list of orders can be sorted by (G-113). */
export const ORDER_SORTS = ['createdAt', 'price'] as const
export type SortField = (typeof ORDER_SORTS)[number]

/** The statuses of an order, in the order in which they follow each other (G-40). */
export const ORDER_STATUSES = [
  'pending',
  'confirmed',
  'processing',
  'ready_to_ship',
  'shipping',
  'delivered',
  'completed',
  'cancelled',
] as const

export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** The status that a caller means: `complete` is read as `completed` (G-40); any other text stays as it is. */
export function readStatus(text: string): string {
  return text === 'complete' ? 'completed' : text
}

/**
 * Whether an order in `from` moves to `to` (G-40): forwards, steps may be skipped, and to cancelled from any status
 * before delivered. False if the order already has the status: a repeated request changes nothing.
 * @throws Refused ORDER_NOT_CANCELLABLE, ORDER_STATUS_NOT_ALLOWED.
 */
export function movesTo(from: OrderStatus, to: OrderStatus): boolean {
  if (from === to) return false
  const place = (status: OrderStatus) => ORDER_STATUSES.indexOf(status)
  if (to === 'cancelled') {
    if (place(from) < place('delivered')) return true
    throw new Refused('ORDER_NOT_CANCELLABLE', { from: { orderStatus: from } })
  }
  if (from !== 'cancelled' && place(from) < place(to)) return true
  throw new Refused('ORDER_STATUS_NOT_ALLOWED', { from: { orderStatus: from }, to: { orderStatus: to } })
}

/** An older age says that the till's clock was wrong. */
const LONGEST_WAIT_DAYS = 30
const DAY_MS = 86_400_000

/**
 * What an order that arrives `now` is dated (G-40): the moment at which it was sold, so that it counts on the day of its money.
 * `soldAt` is undefined for a sale that was not kept.
 */
export function dateOfSale(soldAt: Date | undefined, now: Date): Date {
  if (soldAt === undefined) return now
  return now.getTime() - soldAt.getTime() <= LONGEST_WAIT_DAYS * DAY_MS ? soldAt : now
}

export type PaymentStatus = 'not_paid' | 'partially_paid' | 'paid'

/** A line as requested (G-41). */
export type AskedLine = {
  id: string
  quantity: number
  price?: number
  discount?: number
  /** Percent. */
  vat?: number
  name?: string
}

/** The order as requested (E14). Money in đồng. */
export type AskedOrder = {
  orderItems: AskedLine[]
  discount?: number
  paymentMethod?: string
  shippingFee?: number
  total?: number
  paidAmount?: number
  isPaid?: boolean
}

/** The fields of a SKU that a line needs. */
export type Sellable = { name: string; price: number; vatBasisPoints: number; productName: string }

export type PricedLine = { name: string; quantity: number; price: number }

/** An order with its amounts in đồng; `lines` and `amounts.lines` keep the caller's order. */
export type PricedOrder = {
  lines: PricedLine[]
  amounts: OrderAmounts
  shippingFee: number
  paymentMethod: string
  paidAmount: number
  isPaid: boolean
  paymentStatus: PaymentStatus
}

/** The payment method as it is stored: any text, in NFC and trimmed; a text of blanks only counts as none (G-45). */
export function readPaymentMethod(text: string): string {
  return isBlank(text) ? '' : storedLine(text)
}

function paymentStatusOf(isPaid: boolean, paidAmount: number): PaymentStatus {
  return isPaid ? 'paid' : paidAmount > 0 ? 'partially_paid' : 'not_paid'
}

/** What an order costs, in đồng: its price less what was returned of it (G-123). */
export function netOf(order: { price: number; returned_amount: number }): number {
  return order.price - order.returned_amount
}

/**
 * The event that an order is paid now (G-62). `order.returned_amount` and `paidAmount`, in đồng, are those after the change;
 * `returnedAmount` is left out if nothing was returned, as in responses.
 */
export function paidEvent(
  order: { id: ObjectId; code: string; price: number; returned_amount: number },
  { paidAmount, paymentMethod, at }: { paidAmount: number; paymentMethod: string; at: Date },
): ShopEvent {
  const { id: orderId, code, price, returned_amount: returnedAmount } = order
  const data = { orderId, code, price, paidAmount, paymentMethod }
  return { type: 'order.paid', data: returnedAmount > 0 ? { ...data, returnedAmount } : data, at }
}

/**
 * The payment that follows from `paidAmount`, the order's new total paid in đồng (G-40); `price` is what it costs now. `change` is the difference,
 * below 0 for a refund, which is possible in every status. An unchanged total keeps `isPaid`, except that a total that
 * covers the price makes the order paid.
 * @throws Refused PAYMENT_ABOVE_PRICE, ORDER_CANCELLED, if the total is higher than before.
 */
export function paymentOf(
  order: { status: OrderStatus; price: number; paidAmount: number; isPaid: boolean },
  paidAmount: number,
): { change: number; isPaid: boolean; paymentStatus: PaymentStatus } {
  const { price } = order
  const change = paidAmount - order.paidAmount
  if (change > 0 && order.status === 'cancelled') throw new Refused('ORDER_CANCELLED')
  if (change > 0 && paidAmount > price) throw new Refused('PAYMENT_ABOVE_PRICE', { paidAmount, price })
  const isCovered = paidAmount >= price
  const isPaid = isCovered || (change === 0 && order.isPaid)
  return { change, isPaid, paymentStatus: paymentStatusOf(isPaid, paidAmount) }
}

/**
 * The order's lines, amounts and payment (E14, G-41, G-42). `sellables` holds each line's SKU, by index: its price and
 * its product's VAT rate are used if the line has none. `isPaid` and `paidAmount` are kept as sent; if one is missing,
 * it is derived from the other; without both, nothing is paid, so only an order that costs nothing is.
 * @throws Refused AMOUNT_TOO_LARGE beyond the safe integers, TOTAL_MISMATCH when `total` is not the price.
 */
export function priceOrder(asked: AskedOrder, sellables: readonly Sellable[]): PricedOrder {
  const paymentMethod = readPaymentMethod(asked.paymentMethod ?? '')
  const shippingFee = asked.shippingFee ?? 0
  const priced = asked.orderItems.map((line, index) => {
    const sellable = sellables[index]!
    return {
      name: isBlank(line.name ?? '') ? lineName(sellable) : line.name!,
      quantity: line.quantity,
      price: line.price ?? sellable.price,
      discount: line.discount ?? 0,
      vatBasisPoints: line.vat === undefined ? sellable.vatBasisPoints : toBasisPoints(line.vat),
    }
  })
  const amounts = amountsOf(priced, { discount: asked.discount ?? 0, shippingFee })
  const { price } = amounts
  if (asked.total !== undefined && asked.total !== price) {
    throw new Refused('TOTAL_MISMATCH', { total: asked.total, price })
  }
  const paidAmount = asked.paidAmount ?? (asked.isPaid === true ? price : 0)
  const isPaid = asked.isPaid ?? paidAmount >= price
  return {
    lines: priced.map(({ name, quantity, price: piece }) => ({ name, quantity, price: piece })),
    amounts,
    shippingFee,
    paymentMethod,
    paidAmount,
    isPaid,
    paymentStatus: paymentStatusOf(isPaid, paidAmount),
  }
}

function amountsOf(
  lines: Parameters<typeof computeAmounts>[0],
  order: { discount: number; shippingFee: number },
) {
  try {
    return computeAmounts(lines, order)
  } catch (error) {
    throw error instanceof RangeError ? new Refused('AMOUNT_TOO_LARGE') : error
  }
}

/** A SKU of which an order needs more pieces than are available (G-43). */
export type Shortage = { name: string; wanted: number; available: number }

/** The refusal that names every short SKU (G-43). */
export function outOfStock(shortages: readonly Shortage[]): Refused {
  const named = shortages.map(({ name, wanted, available }) => `${name}: ${wanted} / ${available}`)
  return new Refused('OUT_OF_STOCK', { shortages: named.join('; ') })
}
