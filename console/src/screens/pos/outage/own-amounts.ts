import type { GoodsBody } from '../sale.ts'

/** An order's amounts as the service computes them (E14), in đồng, except its VAT: the counter has no VAT rates. */
export function ownAmounts({ orderItems, discount }: GoodsBody) {
  const originPrice = orderItems.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
  const lines = orderItems.reduce(
    (sum, line) => sum + Math.max(0, line.quantity * line.price - line.discount),
    0,
  )
  const taken = Math.min(discount, lines)
  return { originPrice, discount: taken, shippingFee: 0, price: lines - taken, untaxedPrice: undefined }
}
