import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { SecondPayment } from './taken-payments.ts'

/** A placed order and the shop that it was placed in, which another one may stand in front of by now. */
export type Placed = { shopId: string; id: string }

/** The goods of a placed order go out of stock. */
export async function completeOrder({ shopId, id }: Placed): Promise<void> {
  await dataOf(
    api.PATCH('/api/external/v1/orders/{id}/status', {
      params: { path: { id } },
      body: { status: 'completed' },
      headers: { 'x-shop-id': shopId },
    }),
  )
}

/**
 * Records an order's second payment. Its key comes from the sale's: sent again, it takes nothing back that was changed since.
 * `age` says of a sale that waited how old it is.
 */
export async function payRest(
  { shopId, id }: Placed,
  rest: SecondPayment,
  saleKey: string,
  age: Record<string, string> = {},
): Promise<void> {
  await dataOf(
    api.PATCH('/api/external/v1/orders/{id}/payment', {
      params: { path: { id } },
      body: rest,
      headers: { 'idempotency-key': `${saleKey}-rest`, 'x-shop-id': shopId, ...age },
    }),
  )
}
