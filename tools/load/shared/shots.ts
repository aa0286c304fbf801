import { randomBytes } from 'node:crypto'
import type { SendingShop } from '../../shared/sending.ts'
import type { Shot } from './load.ts'
import type { BenchShop } from './seed.ts'

export const PAGE = 20

export type Operation =
  | 'E8 list products (skus, variants)'
  | 'E9 read product'
  | 'E10 create product'
  | 'E12 list orders'
  | 'E13 read order'
  | 'E14 point-of-sale order'
  | 'E5 send to a phone'

const pick = <T>(list: T[]): T => list[Math.floor(Math.random() * list.length)]!

/** Half of the requests go to the large shop, the others to any shop. */
export const anyShop = (shops: BenchShop[]) => (Math.random() < 0.5 ? shops[0]! : pick(shops))
export const anyPage = (count: number) =>
  1 + Math.floor(Math.random() * Math.min(20, Math.ceil(count / PAGE)))

/** The main operations of the API, each with random shops and records of `shops`; `senders` can send. */
export function shots(shops: BenchShop[], senders: SendingShop[]): Record<Operation, () => Shot> {
  let sent = 0
  return {
    'E8 list products (skus, variants)': () => {
      const shop = anyShop(shops)
      const path = `/api/external/v1/products?limit=${PAGE}&page=${anyPage(shop.productIds.length)}&select=skus,variants`
      return { method: 'GET', path, apiKey: shop.apiKey }
    },
    'E9 read product': () => {
      const shop = anyShop(shops)
      return {
        method: 'GET',
        path: `/api/external/v1/products/${pick(shop.productIds)}`,
        apiKey: shop.apiKey,
      }
    },
    'E10 create product': () => ({
      method: 'POST',
      path: '/api/external/v1/products',
      apiKey: pick(shops).apiKey,
      body: () => JSON.stringify({ name: `Áo khoác ${randomBytes(5).toString('hex')}`, price: 350_000 }),
    }),
    'E12 list orders': () => {
      const shop = anyShop(shops)
      const path = `/api/external/v1/orders?limit=${PAGE}&page=${anyPage(shop.orderIds.length)}`
      return { method: 'GET', path, apiKey: shop.apiKey }
    },
    'E13 read order': () => {
      const shop = anyShop(shops)
      return { method: 'GET', path: `/api/external/v1/orders/${pick(shop.orderIds)}`, apiKey: shop.apiKey }
    },
    'E14 point-of-sale order': () => {
      const shop = pick(shops)
      const orderItems = [
        { id: pick(shop.skuIds), quantity: 2 },
        { id: pick(shop.skuIds), quantity: 1, discount: 5_000 },
      ]
      return {
        method: 'POST',
        path: '/api/external/order/pos/create',
        apiKey: shop.apiKey,
        body: () => JSON.stringify({ orderItems, discount: 10_000, paymentMethod: 'cash', isPaid: true }),
      }
    },
    'E5 send to a phone': () => {
      const shop = pick(senders)
      // The ending 55 has no special meaning in the simulator.
      const receiverPhone = `849${String(sent++ % 1_000_000).padStart(6, '0')}55`
      return {
        method: 'POST',
        path: '/api/external/notify-message/send',
        apiKey: shop.apiKey,
        body: () =>
          JSON.stringify({
            templateId: shop.templateId,
            receiverPhone,
            params: { customer_name: 'An', order_code: `DH${sent}` },
          }),
      }
    },
  }
}
