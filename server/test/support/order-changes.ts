import { POS } from './inventory.ts'
import type { Answer, Partner } from './service.ts'

export const ORDERS = '/api/external/v1/orders'

/** Places an order of one line and returns it. */
export async function placeOrder(
  partner: Partner,
  skuId: string,
  quantity = 1,
  more: Record<string, unknown> = {},
) {
  const answer = await partner.post(POS, { orderItems: [{ id: skuId, quantity }], ...more })
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

export function moveOrder(
  partner: Partner,
  id: string,
  status: string,
  more: Record<string, unknown> = {},
): Promise<Answer> {
  return partner.patch(`${ORDERS}/${id}/status`, { status, ...more })
}

export function payOrder(
  partner: Partner,
  id: string,
  paidAmount: number,
  more: Record<string, unknown> = {},
): Promise<Answer> {
  return partner.patch(`${ORDERS}/${id}/payment`, { paidAmount, ...more })
}
