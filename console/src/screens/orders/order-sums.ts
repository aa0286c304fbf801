import type { ReceiptOrder } from './order-queries.ts'

type Label = 'subtotal' | 'lineDiscounts' | 'orderDiscount' | 'shippingFee' | 'otherAmounts'

/**
 * The parts that add up to an order's price, in đồng, without parts of 0. The last one is everything else in orders of
 * other channels, such as a shipping voucher.
 */
export function sumsOf(order: Omit<ReceiptOrder, 'user'>): { label: Label; vnd: number }[] {
  const lineDiscounts = order.orderItems.reduce((sum, { discount }) => sum + discount, 0)
  const { originPrice, discount, shippingFee, price } = order
  const otherAmounts = price - (originPrice - lineDiscounts - discount + shippingFee)
  const further: { label: Label; vnd: number }[] = [
    { label: 'lineDiscounts', vnd: -lineDiscounts },
    { label: 'orderDiscount', vnd: -discount },
    { label: 'shippingFee', vnd: shippingFee },
    { label: 'otherAmounts', vnd: otherAmounts },
  ]
  return [{ label: 'subtotal', vnd: originPrice }, ...further.filter(({ vnd }) => vnd !== 0)]
}
