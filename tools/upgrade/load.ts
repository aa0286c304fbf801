import type { SendingShop } from '../shared/sending.ts'

/** The results of a run's requests: how many of each kind succeeded, and the failures as text. */
export type Answered = { sold: number; sent: number; read: number; failed: string[] }

const CALLERS = 8

/**
 * Runs callers that sell, send and read through `url`, one request after the other without repeating any, until `over`
 * is aborted. `skuId` is the SKU sold.
 */
export async function keepCalling(
  url: string,
  shop: SendingShop,
  skuId: string,
  over: AbortSignal,
): Promise<Answered> {
  const answered: Answered = { sold: 0, sent: 0, read: 0, failed: [] }
  const call = async (kind: 'sold' | 'sent' | 'read', path: string, body?: object) => {
    try {
      const answer = await fetch(url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'x-api-key': `service-partner ${shop.apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (answer.ok) answered[kind]++
      else answered.failed.push(`${path}: ${answer.status} ${text.slice(0, 300)}`)
    } catch (error) {
      answered.failed.push(`${path}: ${(error as Error).cause ?? error}`)
    }
  }
  // The last four digits of a phone number choose the simulator's behaviour; these have no special meaning.
  let sent = 0
  const caller = async () => {
    while (!over.aborted) {
      await call('sold', '/api/external/order/pos/create', { orderItems: [{ id: skuId, quantity: 1 }] })
      await call('read', '/api/external/v1/orders?limit=10')
      await call('sent', '/api/external/notify-message/send', {
        templateId: shop.templateId,
        receiverPhone: `843${String(1_000_000 + sent++).slice(-6)}55`,
        params: { customer_name: 'An', order_code: 'DH1' },
      })
      await call('read', '/api/external/v1/products?limit=10')
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  return answered
}
