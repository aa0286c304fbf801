import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf, Problem } from '../../api/problem.ts'
import type { Order } from './order-queries.ts'

export const METHODS = ['cash', 'transfer', 'card', 'cod']

/** Nobody gets money back on delivery. */
export const REFUND_METHODS = METHODS.filter((method) => method !== 'cod')

/** The methods in which the shop holds money for an order, in the order of their first payment; what was moved or refunded is not. */
export function methodsOf(payments: readonly { amount: number; method: string }[]): string[] {
  const held = new Map<string, number>()
  for (const { amount, method } of payments) held.set(method, (held.get(method) ?? 0) + amount)
  return [...held].flatMap(([method, vnd]) => (vnd > 0 ? [method] : []))
}

/**
 * Records a payment or, with a negative amount, a refund on an order as it is shown, so that two people who each record
 * one never overwrite each other. If somebody else changed the order first, it is read again.
 * @throws Problem `RECORD_CHANGED`
 */
export async function recordChange(
  client: QueryClient,
  order: Pick<Order, '_id' | '__v' | 'paidAmount'>,
  change: { vnd: number; paymentMethod: string; note?: string },
): Promise<unknown> {
  const { vnd, ...rest } = change
  try {
    return await dataOf(
      api.PATCH('/api/external/v1/orders/{id}/payment', {
        params: { path: { id: order._id } },
        headers: { 'if-match': `"${order.__v}"` },
        body: { ...rest, paidAmount: order.paidAmount + vnd },
      }),
    )
  } catch (error) {
    if (isChangedMeanwhile(error)) await client.invalidateQueries({ queryKey: ['orders'] })
    throw error
  }
}

/** Whether somebody else changed the order after it was read. */
export function isChangedMeanwhile(error: unknown): boolean {
  return error instanceof Problem && error.code === 'RECORD_CHANGED'
}
