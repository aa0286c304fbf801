import { api } from '../../../api/client.ts'
import { dataOf, Problem } from '../../../api/problem.ts'
import { type KeptCustomer, type KeptProduct, keptStore, ofShop } from './kept-store.ts'

/** The size of a list's page, and the most pages that are copied. */
const PAGE = 50
const MOST_PAGES = 500
/** The pause between pages, so that a first copy leaves the shop's other users their share of the rate limit. */
const PAUSE_MS = 150
const CURSOR_TOO_OLD = 410
const FROM_THE_START = '*'

type Copies = { products: KeptProduct; customers: KeptCustomer }

/**
 * Updates this browser's copy of a shop's products and customers: all of them at first, later only changes. If several
 * tabs are open, one does it.
 */
export async function copyCatalogue(shopId: string): Promise<void> {
  if (navigator.locks === undefined) return copy(shopId)
  await navigator.locks.request(`shopbell-copy-${shopId}`, { ifAvailable: true }, async (lock) => {
    if (lock !== null) await copy(shopId)
  })
}

async function copy(shopId: string): Promise<void> {
  const store = await keptStore()
  const progress = await store.get('progress', shopId)
  if (progress === undefined) return copyAll(shopId)
  try {
    await copyChanges(shopId, progress.cursor)
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== CURSOR_TOO_OLD) throw error
    await copyAll(shopId)
  }
}

async function copyAll(shopId: string): Promise<void> {
  const store = await keptStore()
  // Read before the pages, so that changes made while they are read are included later.
  const cursor = await readChanges(shopId, undefined).then(({ meta }) => meta.nextCursor)
  await Promise.all([
    store.delete('products', ofShop(shopId)),
    store.delete('customers', ofShop(shopId)),
    store.delete('progress', shopId),
  ])
  const headers = { 'x-shop-id': shopId }
  // Read by cursor, so that a product deleted meanwhile does not shift the pages.
  await copyPages(async (from) => {
    const query = { cursor: from, limit: PAGE, total: 'none', select: 'skus,wholesalePrices' } as const
    const { data } = await dataOf(api.GET('/api/external/v1/products', { params: { query }, headers }))
    await put(shopId, 'products', data.products)
    return data.meta.nextCursor
  })
  await copyPages(async (from) => {
    const query = { cursor: from, limit: PAGE, total: 'none' } as const
    const { data } = await dataOf(api.GET('/api/external/v1/customers', { params: { query }, headers }))
    await put(shopId, 'customers', data.customers)
    return data.meta.nextCursor
  })
  await store.put('progress', { shopId, cursor })
}

/** Copies page after page. `copyPage` returns the next page's cursor. */
async function copyPages(copyPage: (cursor: string) => Promise<string | null | undefined>): Promise<void> {
  let cursor: string | null | undefined = FROM_THE_START
  for (let page = 0; page < MOST_PAGES && cursor != null; page++) {
    if (page > 0) await pause()
    cursor = await copyPage(cursor)
  }
}

async function copyChanges(shopId: string, from: string): Promise<void> {
  const store = await keptStore()
  for (let cursor = from, hasMore = true; hasMore; ) {
    const { changes, meta } = await readChanges(shopId, cursor)
    for (const change of changes) {
      if (change.op === 'delete')
        await store.delete(change.type === 'product' ? 'products' : 'customers', [shopId, change.id])
      else if (change.type === 'product') await put(shopId, 'products', [change.data])
      else if (change.type === 'customer') await put(shopId, 'customers', [change.data])
    }
    cursor = meta.nextCursor
    hasMore = meta.hasMore
    await store.put('progress', { shopId, cursor })
  }
}

async function readChanges(shopId: string, after: string | undefined) {
  const query = { limit: 500, types: 'product,customer', ...(after === undefined ? {} : { after }) }
  return (
    await dataOf(api.GET('/api/external/changes', { params: { query }, headers: { 'x-shop-id': shopId } }))
  ).data
}

async function put<Name extends keyof Copies>(shopId: string, name: Name, records: Copies[Name][]) {
  const store = await keptStore()
  const writing = store.transaction(name, 'readwrite')
  for (const record of records) await writing.store.put({ ...narrowed(name, record), shopId } as never)
  await writing.done
}

/** Only the fields that the counter needs, because a browser may hold many records. */
function narrowed(name: keyof Copies, record: KeptProduct | KeptCustomer): KeptProduct | KeptCustomer {
  if (name === 'customers') {
    const { _id, fullName, phone } = record as KeptCustomer
    return { _id, fullName, phone }
  }
  const product = record as KeptProduct
  const { _id, name: title, itemSku, barcode, status, categoryId = null, skus = [] } = product
  return {
    _id,
    name: title,
    itemSku,
    barcode,
    status,
    categoryId,
    skus: skus.map((one) => ({
      _id: one._id,
      name: one.name,
      sku: one.sku,
      barcode: one.barcode,
      price: one.price,
      stock_quantity: one.stock_quantity,
      isActive: one.isActive,
    })),
    wholesalePrices: (product.wholesalePrices ?? []).map(({ skuId, minQuantity, price }) => ({
      skuId,
      minQuantity,
      price,
    })),
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
