import { api } from '../../../api/client.ts'
import { dataOf, Problem } from '../../../api/problem.ts'
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
 */
export async function payRest({ shopId, id }: Placed, rest: SecondPayment, saleKey: string): Promise<void> {
  await dataOf(
    api.PATCH('/api/external/v1/orders/{id}/payment', {
      params: { path: { id } },
      body: rest,
      headers: { 'idempotency-key': `${saleKey}-rest`, 'x-shop-id': shopId },
    }),
  )
}

/** Answers that were given before the key was looked at: they say nothing of an earlier attempt with it (G-10). */
const UNDECIDED = new Set([401, 403, 408, 425, 429])

/** Whether the service definitely refused the order; otherwise it may exist. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Problem)) return false
  return error.status < 500 && !UNDECIDED.has(error.status) && error.code !== 'IDEMPOTENCY_KEY_IN_PROGRESS'
}

/** Whether it is this request that the service fails at, and the next one may do better. */
export function isOnlyThis(error: unknown): boolean {
  return error instanceof Problem && error.status >= 500 && !isLost(error)
}

/** Whether no answer of the service came: it is away, or the network is. */
export function isLost(error: unknown): boolean {
  return !(error instanceof Problem) || [502, 503, 504].includes(error.status)
}
