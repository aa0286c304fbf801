import type { Sold } from '../payment/last-sale.tsx'
import { sumTaken } from '../payment/taken-payments.ts'
import { goodsBody, lineDiscount, type Sale, settled, slipCode } from '../sale.ts'
import type { posTexts } from '../texts.ts'
import { ownAmounts } from './own-amounts.ts'
import { addWaiting } from './waiting-sales.ts'

/**
 * Keeps a sale in this browser until the service is back, as it was sent if it was. @returns it as sold, under a code that its
 * order's note repeats beside the seller, as somebody else may be signed in when it is sent; undefined where its payment does not fit the price.
 */
export async function keepSale(
  shopId: string,
  sale: Sale,
  texts: Pick<typeof posTexts.vi, 'keptNote'>,
  seller: string,
): Promise<Sold | undefined> {
  const asked = goodsBody(sale)
  const amounts = ownAmounts(asked)
  const price = sale.sent?.body.total ?? amounts.price
  const payment = settled(sale, price)
  if (payment === undefined) return undefined
  const soldAt = new Date()
  const code = slipCode(sale)
  const order = {
    _id: sale.key,
    code,
    createdAt: soldAt.toISOString(),
    originPrice: amounts.originPrice,
    discount: amounts.discount,
    shippingFee: 0,
    price,
    paidAmount: sumTaken(payment.taken),
    user: sale.customer,
    orderItems: sale.lines.map((line) => ({
      _id: line.skuId,
      name: line.name,
      quantity: line.quantity,
      price: line.price,
      discount: lineDiscount(line),
    })),
  }
  const { atMs, ...sent } = sale.sent ?? {
    body: { ...asked, ...payment.paid.body, total: price, note: texts.keptNote(code, soldAt, seller) },
    rest: payment.paid.rest,
    atMs: undefined,
  }
  await addWaiting({
    shopId,
    key: sale.key,
    // What was sent can only be repeated unchanged.
    ...sent,
    isHandedOver: sale.isHandedOver,
    receipt: order,
    triedAtMs: atMs,
    refusal: undefined,
  })
  return { order, cash: payment.cash, isCompleted: true, isPaid: true, isWaiting: true }
}
