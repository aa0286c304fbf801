import { Refused } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

/** What a customer still owes of an order, in đồng: above 0. */
export type OwedOrder = { id: ObjectId; left: number }

/**
 * Spreads an amount that a customer pays over what is left of the opening debt (G-124) and then over the unpaid orders, in their
 * order: each is paid in full before the next one gets anything, and `opening` and the parts add up to the amount. In đồng; parts
 * are above 0.
 * @throws Refused PAYMENT_ABOVE_DEBT if the amount is more than is due for these orders; PAYMENT_ABOVE_ORDERS instead if there
 * are more unpaid orders than these (`isCut`).
 */
export function spreadPayment(
  amount: number,
  { opening, owed, isCut }: { opening: number; owed: readonly OwedOrder[]; isCut: boolean },
): { opening: number; parts: { id: ObjectId; amount: number }[] } {
  const parts: { id: ObjectId; amount: number }[] = []
  const toOpening = Math.min(amount, opening)
  let rest = amount - toOpening
  for (const { id, left } of owed) {
    if (rest === 0) break
    const part = Math.min(rest, left)
    parts.push({ id, amount: part })
    rest -= part
  }
  if (rest > 0) {
    if (isCut) throw new Refused('PAYMENT_ABOVE_ORDERS', { orders: owed.length, most: amount - rest })
    throw new Refused('PAYMENT_ABOVE_DEBT', { amount, debt: amount - rest })
  }
  return { opening: toOpening, parts }
}
