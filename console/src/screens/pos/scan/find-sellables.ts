import { api } from '../../../api/client.ts'
import { isServiceAway, SCAN_WAIT_MS } from '../../../api/connection.ts'
import { isLost } from '../../../api/outcome.ts'
import { dataOf } from '../../../api/problem.ts'
import { findKeptProducts } from '../outage/find-kept.ts'
import type { KeptProduct, KeptSku } from '../outage/kept-store.ts'
import type { Sellable } from '../sale.ts'
import { foldCode } from './fold-code.ts'

/** Where this device keeps the warehouse from which its counter sells; nothing: from any (G-43). */
export const warehousePlace = (shopId: string) => `shopbell.pos-warehouse ${shopId}`

/** The counter's warehouse as orders and lists of goods name it. */
export function fromWarehouse(shopId: string): FromWarehouse {
  const warehouseId = localStorage.getItem(warehousePlace(shopId))
  return warehouseId === null ? {} : { warehouseId }
}
type FromWarehouse = { warehouseId?: string }

/** The most products that a search in the service returns. */
const MOST_SERVED = 20

/** `isCutOff`: more products may match. */
type Found = { products: KeptProduct[]; isCutOff: boolean }

/**
 * The SKUs that match a scanned or typed text: the one with exactly this barcode or code; otherwise those whose code
 * begins with it, or whose product's name contains its words, with or without accents. Inactive SKUs are left out; products that
 * are not on sale too, but not `forStock`, which may still be counted, received and moved. A single SKU in the result may be sold
 * without asking.
 */
export async function findSellables(shopId: string, text: string, forStock: boolean): Promise<Sellable[]> {
  const from = forStock ? {} : fromWarehouse(shopId)
  const { products, isCutOff } = await findProducts(shopId, text, from)
  const wanted = forStock ? products : products.filter(({ status }) => status === 'active')
  return bestOf({ products: wanted, isCutOff }, text)
}

/** Finds products in the service, or in this browser's copy if the service is unavailable or slow. */
async function findProducts(shopId: string, text: string, from: FromWarehouse): Promise<Found> {
  if (isServiceAway()) return findKeptProducts(shopId, text)
  try {
    return await servedProducts(text, from, AbortSignal.timeout(SCAN_WAIT_MS))
  } catch (error) {
    if (!isLost(error)) throw error
    return findKeptProducts(shopId, text)
  }
}

async function servedProducts(text: string, from: FromWarehouse, signal: AbortSignal): Promise<Found> {
  const [scanned, found] = await Promise.all([
    // A text with blanks is a name, so it cannot be a barcode.
    /\s/.test(text) ? NONE : productsWith({ barcode: text, limit: 5, ...from }, signal),
    productsWith({ search: text, select: 'skus,wholesalePrices', limit: MOST_SERVED, ...from }, signal),
  ])
  return {
    products: [...scanned.products, ...found.products],
    isCutOff: found.hasMore,
  }
}

function bestOf({ products, isCutOff }: Found, text: string): Sellable[] {
  const wanted = foldCode(text)
  const codesOf = ({ sku, barcode }: Sku) => [foldCode(sku), foldCode(barcode)]
  const all = products.flatMap((product) =>
    (product.skus ?? []).filter(({ isActive }) => isActive).map((sku) => ({ product, sku })),
  )
  const once = [...new Map(all.map((one) => [one.sku._id, one])).values()]
  const exact = once.filter(({ sku }) => codesOf(sku).includes(wanted))
  const ofProduct = once.filter(({ product }) => codesOf(asCodes(product)).includes(wanted))
  const beginning = once.filter(({ sku }) => codesOf(sku).some((code) => code.startsWith(wanted)))
  // If the search was cut off, a product that was not read may have exactly this code, so a person chooses.
  const isUnsure = isCutOff && beginning.length === 1
  const others = beginning.length > 0 && !isUnsure ? beginning : once
  const best =
    [exact, ofProduct, isUnsure && others.length === 1 ? [] : others].find((some) => some.length > 0) ?? []
  return best.map(({ product, sku }) => sellableOf(product, sku))
}

/** The SKUs of a product that can be sold. */
export function sellablesOf(product: KeptProduct): Sellable[] {
  return (product.skus ?? []).filter(({ isActive }) => isActive).map((sku) => sellableOf(product, sku))
}

function sellableOf(product: KeptProduct, sku: KeptSku): Sellable {
  return {
    skuId: sku._id,
    name: lineName(product.name, sku.name),
    code: sku.barcode || sku.sku,
    price: sku.price,
    stock: sku.warehouseStock?.available ?? sku.stock_quantity,
    tiers: (product.wholesalePrices ?? [])
      .filter(({ skuId }) => skuId === sku._id)
      .map(({ minQuantity, price }) => ({ minQuantity, price })),
  }
}

type Sku = { sku: string; barcode: string }
const asCodes = (product: { itemSku: string; barcode: string }): Sku => ({
  sku: product.itemSku,
  barcode: product.barcode,
})

const NONE = { products: [], hasMore: false }

/** The first products of a search, by cursor: a page by number that is too large for a response would be refused. */
async function productsWith(
  query: FromWarehouse & { barcode?: string; search?: string; select?: string; limit: number },
  signal: AbortSignal,
) {
  const { data } = await dataOf(
    api.GET('/api/external/v1/products', {
      params: {
        query: {
          cursor: '*',
          total: 'none',
          sortBy: 'name',
          sortType: 'asc',
          ...query,
        },
      },
      signal,
    }),
  )
  return { products: data.products, hasMore: data.meta.nextCursor != null }
}

/** The name of an order line, as in E14. */
function lineName(product: string, sku: string): string {
  if (sku === '' || sku === product) return product
  return sku.startsWith(product) ? sku : `${product} - ${sku}`
}
