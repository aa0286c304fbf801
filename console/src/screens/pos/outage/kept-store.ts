import { randomId } from '@shopbell/client'
import {
  type DBSchema,
  type IDBPDatabase,
  type IDBPObjectStore,
  type IDBPTransaction,
  openDB,
  type StoreNames,
} from 'idb'
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
  /** In the counter's warehouse, if it has one. */
  warehouseStock?: { available: number }
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
/** The price per piece from a quantity on. */
export type KeptTier = { skuId: string; minQuantity: number; price: number }
export type KeptCustomer = { _id: string; fullName: string; phone: string }

/** A sale made while the service was unavailable, kept until the service has accepted it. */
export type WaitingSale = {
  /** Sales are sent in the order of their ids. */
  id: number
  shopId: string
  /** The sale's `Idempotency-Key`, so that sending it repeatedly creates only one order. */
  key: string
  body: OrderBody
  /** The payment to record after the order was created. */
  rest: SecondPayment | undefined
  isHandedOver: boolean
  /** The member who was signed in when it was sold; undefined if not recorded, or if no longer a member of the shop. */
  sellerId?: string | undefined
  /** The order as it was printed. */
  receipt: ReceiptOrder
  /** When it was first sent, in ms; the service may have accepted it. */
  triedAtMs: number | undefined
  /** Why the service refused it; a person decides what to do. */
  refusal: string | undefined
}

interface Kept extends DBSchema {
  products: { key: [string, string]; value: KeptProduct & { shopId: string } }
  customers: { key: [string, string]; value: KeptCustomer & { shopId: string } }
  /** The cursor from which changes to a shop's copy continue; under `ALL_SHOPS`, the generation of all copies. */
  progress: { key: string; value: { shopId: string; cursor: string } }
  sales: { key: number; value: WaitingSale; indexes: { shop: string } }
}

let opened: Promise<IDBPDatabase<Kept>> | undefined

/** This browser's store for the counter. It survives a restart. */
export function keptStore(): Promise<IDBPDatabase<Kept>> {
  opened ??= open()
  return opened
}

function open(): Promise<IDBPDatabase<Kept>> {
  const forget = () => {
    opened = undefined
  }
  // If the browser closed the store or did not open it, the next use tries again.
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

/** The range of all keys of a shop's records. */
export const ofShop = (shopId: string) => IDBKeyRange.bound([shopId], [shopId, []])

/** The key of the generation in `progress`, where the ids of shops are never empty. */
const ALL_SHOPS = ''
const COPIES = ['progress', 'products', 'customers'] as const

/** A shop's copy as `readCopy` found it. `generation` is undefined until copies were first deleted in this browser. */
export type Copy = { shopId: string; generation: string | undefined; cursor: string | undefined }
type CopyChange = IDBPTransaction<Kept, ['progress', 'products', 'customers'], 'readwrite'>

/** The generation of the copies, and the cursor of a shop's copy if it is complete. */
export async function readCopy(shopId: string): Promise<Copy> {
  return copyIn((await keptStore()).transaction('progress').store, shopId)
}

/** The same, in a transaction that reads more. */
export async function copyIn(
  progress: Pick<IDBPObjectStore<Kept, ArrayLike<StoreNames<Kept>>, 'progress'>, 'get'>,
  shopId: string,
): Promise<Copy> {
  const [all, own] = await Promise.all([progress.get(ALL_SHOPS), progress.get(shopId)])
  return { shopId, generation: all?.cursor, cursor: own?.cursor }
}

/**
 * Makes changes to a shop's copy in one transaction. `change` must wait for nothing but the transaction.
 * @throws Error if the copies were deleted since `copy` was read, because what was requested before belongs to the
 *   person who has signed out
 */
export async function changeCopy(
  { generation }: Copy,
  change: (changing: CopyChange) => Promise<unknown>[],
): Promise<void> {
  const changing = (await keptStore()).transaction(COPIES, 'readwrite')
  const now = await changing.objectStore('progress').get(ALL_SHOPS)
  if (now?.cursor !== generation) throw new Error('The copies were deleted meanwhile.')
  await Promise.all([...change(changing), changing.done])
}

/**
 * Deletes the copies of products and customers when a person signs out. Waiting sales stay. A copy that another tab is
 * making ends, because its generation is no longer the current one.
 */
export async function forgetCopies(): Promise<void> {
  const changing = (await keptStore()).transaction(COPIES, 'readwrite')
  const progress = changing.objectStore('progress')
  await Promise.all([
    ...COPIES.map((name) => changing.objectStore(name).clear()),
    progress.put({ shopId: ALL_SHOPS, cursor: randomId() }),
    changing.done,
  ])
}
