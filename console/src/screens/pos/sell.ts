import { notifications } from '@mantine/notifications'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../../api/client.ts'
import { dataOf, Problem } from '../../api/problem.ts'
import { useTexts } from '../../texts/language.tsx'
import type { Sold } from './last-sale.tsx'
import { bodyOf, type OrderBody, type Sale, type SaleChange } from './sale.ts'
import { posTexts } from './texts.ts'

/** What an order comes to, computed by the service. */
export const previewQuery = (body: OrderBody) =>
  queryOptions({
    queryKey: ['pos-preview', body],
    queryFn: async () => (await dataOf(api.POST('/api/external/order/pos/preview', { body }))).data,
  })

/**
 * Sells what was scanned, once: the sale's own Idempotency-Key goes with every try, and a try whose outcome is not
 * known can only be repeated as it was. Goods handed over complete the order, which takes them out of stock.
 */
export function useSell(sale: Sale, change: (change: SaleChange) => void, onSold: (sold: Sold) => void) {
  const texts = useTexts(posTexts)
  const client = useQueryClient()
  const isUnderWay = useRef(false)

  /** Undefined: the cash given does not do any more, which the form shows. */
  async function place(): Promise<Sold | undefined> {
    let body = sale.sent?.body
    if (body === undefined) {
      const asked = bodyOf(sale)
      const { price } = await client.fetchQuery(previewQuery(asked))
      if (sale.given !== null && sale.given < price) return undefined
      body = { ...asked, total: price }
      change({ type: 'sent', sent: { body } })
    }
    const { data: order } = await dataOf(
      api.POST('/api/external/order/pos/create', { body, headers: { 'idempotency-key': sale.key } }),
    )
    const takesCash = sale.isPaid && sale.method === 'cash'
    const givenVnd = takesCash ? (sale.given ?? order.price) : undefined
    return { order, givenVnd, isCompleted: !sale.isHandedOver || (await complete(order._id)) }
  }

  const selling = useMutation({
    mutationFn: place,
    onSuccess(sold) {
      if (sold === undefined) return
      change({ type: 'new' })
      onSold(sold)
      void client.invalidateQueries({ queryKey: ['orders'] })
      void client.invalidateQueries({ queryKey: ['products'] })
      if (!sold.isCompleted) notifications.show({ color: 'yellow', message: texts.notCompleted })
    },
    onError(error) {
      if (isRefusal(error)) change({ type: 'refused' })
    },
    onSettled() {
      isUnderWay.current = false
    },
  })

  return {
    ...selling,
    mutate() {
      // A second Enter comes before the button is drawn as busy.
      if (isUnderWay.current || sale.lines.length === 0) return
      isUnderWay.current = true
      selling.mutate()
    },
  }
}

async function complete(id: string): Promise<boolean> {
  try {
    await dataOf(
      api.PATCH('/api/external/v1/orders/{id}/status', {
        params: { path: { id } },
        body: { status: 'completed' },
      }),
    )
    return true
  } catch {
    return false
  }
}

/** Whether the service answered that nothing was placed; else an order may be there. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Problem)) return false
  return error.status < 500 && error.code !== 'IDEMPOTENCY_KEY_IN_PROGRESS'
}
