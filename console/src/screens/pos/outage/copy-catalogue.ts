import { api } from '../../../api/client.ts'
import { dataOf, Problem } from '../../../api/problem.ts'
import { type Copy, changeCopy, type KeptCustomer, type KeptProduct, ofShop, readCopy } from './kept-store.ts'

/** The size of a list's page, and the most pages that are copied. */
const PAGE = 50
const MOST_PAGES = 500
/** The pause between pages, so that a first copy leaves the shop's other users their share of the rate limit. */
const PAUSE_MS = 150
const CURSOR_TOO_OLD = 410
const FROM_THE_START = '*'

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
  const found = await readCopy(shopId)
  if (found.cursor === undefined) return copyAll(found)
  try {
    await copyChanges(found, found.cursor)
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== CURSOR_TOO_OLD) throw error
    await copyAll(found)
  }
}

async function copyAll(copy: Copy): Promise<void> {
  const { shopId } = copy
  // Read before the pages, so that changes made while they are read are included later.
  const cursor = await readChanges(shopId, undefined).then(({ meta }) => meta.nextCursor)
  await changeCopy(copy, (changing) => [
    changing.objectStore('products').delete(ofShop(shopId)),
    changing.objectStore('customers').delete(ofShop(shopId)),
    changing.objectStore('progress').delete(shopId),
  ])
  const headers = { 'x-shop-id': shopId }
  // Read by cursor, so that a product deleted meanwhile does not shift the pages.
  await copyPages(async (from) => {
    const query = { cursor: from, limit: PAGE, total: 'none', select: 'skus,wholesalePrices' } as const
    const { data } = await dataOf(api.GET('/api/external/v1/products', { params: { query }, headers }))
    await changeCopy(copy, (changing) => {
      const store = changing.objectStore('products')
      return data.products.map((product) => store.put({ ...narrowProduct(product), shopId }))
    })
    return data.meta.nextCursor
  })
  await copyPages(async (from) => {
    const query = { cursor: from, limit: PAGE, total: 'none' } as const
    const { data } = await dataOf(api.GET('/api/external/v1/customers', { params: { query }, headers }))
    await changeCopy(copy, (changing) => {
      const store = changing.objectStore('customers')
      return data.customers.map((customer) => store.put({ ...narrowCustomer(customer), shopId }))
    })
    return data.meta.nextCursor
  })
  await changeCopy(copy, (changing) => [changing.objectStore('progress').put({ shopId, cursor })])
}

/** Copies page after page. `copyPage` returns the next page's cursor. */
async function copyPages(copyPage: (cursor: string) => Promise<string | null | undefined>): Promise<void> {
  let cursor: string | null | undefined = FROM_THE_START
  for (let page = 0; page < MOST_PAGES && cursor != null; page++) {
    if (page > 0) await pause()
    cursor = await copyPage(cursor)
  }
}

async function copyChanges(copy: Copy, from: string): Promise<void> {
  const { shopId } = copy
  for (let cursor = from, hasMore = true; hasMore; ) {
    const { changes, meta } = await readChanges(shopId, cursor)
    cursor = meta.nextCursor
    hasMore = meta.hasMore
    await changeCopy(copy, (changing) => {
      const [products, customers] = [changing.objectStore('products'), changing.objectStore('customers')]
      const written = changes.map((change): Promise<unknown> => {
        if (change.op === 'delete')
          return (change.type === 'product' ? products : customers).delete([shopId, change.id])
        if (change.type === 'product') return products.put({ ...narrowProduct(change.data), shopId })
        if (change.type === 'customer') return customers.put({ ...narrowCustomer(change.data), shopId })
        return Promise.resolve()
      })
      return [...written, changing.objectStore('progress').put({ shopId, cursor })]
    })
  }
}

async function readChanges(shopId: string, after: string | undefined) {
  const query = { limit: 500, types: 'product,customer', ...(after === undefined ? {} : { after }) }
  return (
    await dataOf(api.GET('/api/external/changes', { params: { query }, headers: { 'x-shop-id': shopId } }))
  ).data
}

/** Only the fields that the counter needs, because a browser may hold many records. */
function narrowCustomer({ _id, fullName, phone }: KeptCustomer): KeptCustomer {
  return { _id, fullName, phone }
}

function narrowProduct(product: KeptProduct): KeptProduct {
  const { _id, name, itemSku, barcode, status, categoryId = null, skus = [] } = product
  return {
    _id,
    name,
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
