import { Problem } from '../../../api/problem.ts'
import { serviceNow } from '../../../api/service-clock.ts'
import type { Sold } from '../payment/last-sale.tsx'
import { sumTaken } from '../payment/taken-payments.ts'
import { goodsBody, lineDiscount, type PressedSale, settled, slipCode } from '../sale.ts'
import { fromWarehouse } from '../scan/find-sellables.ts'
import type { posTexts } from '../texts.ts'
import { ownAmounts } from './own-amounts.ts'
import { addWaiting } from './waiting-sales.ts'

/**
 * Stores a sale in this browser until the service is available, unchanged if it was already sent. Somebody else may be
 * signed in when it is sent, so the order's note has its code and the seller.
 * @returns the sale as sold, under that code; undefined if its payment does not fit the price.
 * @throws Problem if this device cannot store it
 */
export async function keepSale(
  shopId: string,
  sale: PressedSale,
  texts: Pick<typeof posTexts.vi, 'keptNote' | 'notKept'>,
  seller: { id: string; name: string },
): Promise<Sold | undefined> {
  const asked = goodsBody(sale)
  const amounts = ownAmounts(asked)
  const price = sale.sent?.body.total ?? amounts.price
  const payment = settled(sale, price)
  if (payment === undefined) return undefined
  const soldAt = new Date(serviceNow())
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
    body: {
      ...asked,
      ...payment.paid.body,
      ...fromWarehouse(shopId),
      total: price,
      reference: code,
      note: texts.keptNote(code, soldAt, seller.name),
    },
    rest: payment.paid.rest,
    atMs: undefined,
  }
  await addWaiting({
    shopId,
    key: sale.key,
    // A request that was sent may only be repeated unchanged.
    ...sent,
    isHandedOver: sale.isHandedOver,
    sellerId: seller.id,
    receipt: order,
    triedAtMs: atMs,
    refusal: undefined,
  }).catch(() => {
    // Its status is that of a full storage: the service has refused nothing, so a sale that was sent stays as it is.
    throw new Problem(507, { message: texts.notKept }, undefined, undefined)
  })
  return { order, cash: payment.cash, isCompleted: true, isPaid: true, isWaiting: true }
}
