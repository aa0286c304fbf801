import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { SecondPayment } from './taken-payments.ts'

/** A placed order and its shop, because the person may have switched to another shop by now. */
export type Placed = { shopId: string; id: string }

/** Completes a placed order, which takes its goods out of stock. */
export async function completeOrder({ shopId, id }: Placed, signal: AbortSignal): Promise<void> {
  await dataOf(
    api.PATCH('/api/external/v1/orders/{id}/status', {
      params: { path: { id } },
      body: { status: 'completed' },
      headers: { 'x-shop-id': shopId },
      signal,
    }),
  )
}

/**
 * Records an order's second payment. Its key is derived from the sale's, so sending it again does not undo later
 * changes. For a sale that waited, `age` says when it was made.
 */
export async function payRest(
  { shopId, id }: Placed,
  rest: SecondPayment,
  saleKey: string,
  signal: AbortSignal,
  age: Record<string, string> = {},
): Promise<void> {
  await dataOf(
    api.PATCH('/api/external/v1/orders/{id}/payment', {
      params: { path: { id } },
      body: rest,
      headers: { 'idempotency-key': `${saleKey}-rest`, 'x-shop-id': shopId, ...age },
      signal,
    }),
  )
}
