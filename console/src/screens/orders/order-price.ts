type Price = { price: number; returnedAmount?: number | undefined }
/** Of an order, in đồng. */
export type Sums = Price & { paidAmount: number; status?: string | undefined }

/** What an order costs now, in đồng: less what the customer returned of it (G-123). */
export function netOf({ price, returnedAmount = 0 }: Price): number {
  return price - returnedAmount
}

/** The VAT within what an order cost at first, in đồng; shipping has none. 0 in a shop without VAT, which then is not shown. */
export function vatOf(order: {
  price: number
  shippingFee: number
  untaxedPrice?: number | undefined
}): number {
  const goods = order.price - order.shippingFee
  return goods - (order.untaxedPrice ?? goods)
}

/** What the customer still has to pay, in đồng; 0 for an order that is cancelled or marked as paid. */
export function leftToPay(order: Sums & { isPaid?: boolean }): number {
  return order.status === 'cancelled' || order.isPaid ? 0 : Math.max(0, netOf(order) - order.paidAmount)
}

/** What the shop holds of the customer's money that the order does not cost, in đồng: all of it once it is cancelled. */
export function paidTooMuch(order: Sums): number {
  return order.status === 'cancelled' ? order.paidAmount : Math.max(0, order.paidAmount - netOf(order))
}

/** What the shop has to pay back for goods that the customer returned or a cancelled order, in đồng; 0 if it was paid back. */
export function owedToCustomer(order: Sums): number {
  return (order.returnedAmount ?? 0) === 0 && order.status !== 'cancelled' ? 0 : paidTooMuch(order)
}
