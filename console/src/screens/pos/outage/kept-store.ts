import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { ReceiptOrder } from '../../orders/order-queries.ts'
import type { SecondPayment } from '../payment/taken-payments.ts'
import type { OrderBody } from '../sale.ts'

export type KeptSku = {
  _id: string
  name: string
  sku: string
  barcode: string
  price: number
  stock_quantity: number
  isActive: boolean
}
export type KeptProduct = {
  _id: string
  name: string
  itemSku: string
  barcode: string
  status: string
  categoryId?: string | null
  images?: string[]
  skus?: KeptSku[]
  wholesalePrices?: KeptTier[]
}
/** The price of a piece from so many on. */
export type KeptTier = { skuId: string; minQuantity: number; price: number }
export type KeptCustomer = { _id: string; fullName: string; phone: string }

/** A sale that was made while the service was away, until the service has it. */
export type WaitingSale = {
  /** Sales are sent in the order of these. */
  id: number
  shopId: string
  /** Its `Idempotency-Key`: however often it is sent, it is one sale. */
  key: string
  body: OrderBody
  /** The payment that follows the order's creation. */
  rest: SecondPayment | undefined
  isHandedOver: boolean
  /** As it was printed. */
  receipt: ReceiptOrder
  /** When it was first sent, in ms: the service may have it. */
  triedAtMs: number | undefined
  /** Why the service refused it; a person decides what becomes of it. */
  refusal: string | undefined
}

interface Kept extends DBSchema {
  products: { key: [string, string]; value: KeptProduct & { shopId: string } }
  customers: { key: [string, string]; value: KeptCustomer & { shopId: string } }
  /** Where the changes go on that follow what is kept of a shop. */
  progress: { key: string; value: { shopId: string; cursor: string } }
  sales: { key: number; value: WaitingSale; indexes: { shop: string } }
}

let opened: Promise<IDBPDatabase<Kept>> | undefined

/** What this browser keeps for the counter; it survives a restart. */
export function keptStore(): Promise<IDBPDatabase<Kept>> {
  opened ??= open()
  return opened
}

function open(): Promise<IDBPDatabase<Kept>> {
  const forget = () => {
    opened = undefined
  }
  // Where the browser ended it, or would not open it, the next use tries again.
  const opening = openDB<Kept>('shopbell-counter', 1, {
    terminated: forget,
    upgrade(store) {
      store.createObjectStore('products', { keyPath: ['shopId', '_id'] })
      store.createObjectStore('customers', { keyPath: ['shopId', '_id'] })
      store.createObjectStore('progress', { keyPath: 'shopId' })
      const sales = store.createObjectStore('sales', { keyPath: 'id', autoIncrement: true })
      sales.createIndex('shop', 'shopId')
    },
  })
  opening.catch(forget)
  return opening
}

/** All keys of a shop's records. */
export const ofShop = (shopId: string) => IDBKeyRange.bound([shopId], [shopId, []])

/** Forgets the copies of products and customers, as a person signs out; sales that wait stay. */
export async function forgetCopies(): Promise<void> {
  const store = await keptStore()
  await Promise.all([store.clear('products'), store.clear('customers'), store.clear('progress')])
}
