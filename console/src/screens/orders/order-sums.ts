import type { Order } from './order-queries.ts'

type Label = 'subtotal' | 'lineDiscounts' | 'orderDiscount' | 'shippingFee' | 'otherAmounts'

/**
 * What an order's price is made of, in đồng: amounts that add up to it, those of 0 left out. The last is what orders of
 * other channels carry besides, such as a voucher for shipping.
 */
export function sumsOf(order: Order): { label: Label; vnd: number }[] {
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
