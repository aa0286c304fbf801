import { api } from '../../../api/client.ts'
import { isServiceAway, SCAN_WAIT_MS } from '../../../api/connection.ts'
import { isLost } from '../../../api/outcome.ts'
import { dataOf } from '../../../api/problem.ts'
import { findKeptProducts } from '../outage/find-kept.ts'
import type { KeptProduct, KeptSku } from '../outage/kept-store.ts'
import type { Sellable } from '../sale.ts'

/**
 * The SKUs that match a scanned or typed text: the one with exactly this barcode or code; otherwise those whose code
 * begins with it, or whose product's name contains its words, with or without accents. Inactive SKUs are left out.
 */
export async function findSellables(shopId: string, text: string): Promise<Sellable[]> {
  return bestOf(await findProducts(shopId, text), text)
}

/** Finds products in the service, or in this browser's copy if the service is unavailable or slow. */
async function findProducts(shopId: string, text: string): Promise<KeptProduct[]> {
  if (isServiceAway()) return findKeptProducts(shopId, text)
  try {
    return await servedProducts(text, AbortSignal.timeout(SCAN_WAIT_MS))
  } catch (error) {
    if (!isLost(error)) throw error
    return findKeptProducts(shopId, text)
  }
}

async function servedProducts(text: string, signal: AbortSignal): Promise<KeptProduct[]> {
  const [scanned, found] = await Promise.all([
    // A text with blanks is a name, so it cannot be a barcode.
    /\s/.test(text) ? [] : productsWith({ barcode: text, limit: 5 }, signal),
    productsWith({ search: text, select: 'skus,wholesalePrices', limit: 20 }, signal),
  ])
  return [...scanned, ...found]
}

function bestOf(products: KeptProduct[], text: string): Sellable[] {
  const wanted = foldCode(text)
  const codesOf = ({ sku, barcode }: Sku) => [foldCode(sku), foldCode(barcode)]
  const all = products.flatMap((product) =>
    (product.skus ?? []).filter(({ isActive }) => isActive).map((sku) => ({ product, sku })),
  )
  const once = [...new Map(all.map((one) => [one.sku._id, one])).values()]
  const exact = once.filter(({ sku }) => codesOf(sku).includes(wanted))
  const ofProduct = once.filter(({ product }) => codesOf(asCodes(product)).includes(wanted))
  const beginning = once.filter(({ sku }) => codesOf(sku).some((code) => code.startsWith(wanted)))
  const best = [exact, ofProduct, beginning, once].find((some) => some.length > 0) ?? []
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
    stock: sku.stock_quantity,
    tiers: (product.wholesalePrices ?? [])
      .filter(({ skuId }) => skuId === sku._id)
      .map(({ minQuantity, price }) => ({ minQuantity, price })),
  }
}

/** A code in the form in which the service compares it (G-33). */
function foldCode(code: string): string {
  return code.normalize('NFC').toUpperCase().normalize('NFC')
}

type Sku = { sku: string; barcode: string }
const asCodes = (product: { itemSku: string; barcode: string }): Sku => ({
  sku: product.itemSku,
  barcode: product.barcode,
})

async function productsWith(
  query: { barcode?: string; search?: string; select?: string; limit: number },
  signal: AbortSignal,
) {
  const { data } = await dataOf(
    api.GET('/api/external/v1/products', {
      params: { query: { page: 1, total: 'none', sortBy: 'name', sortType: 'asc', ...query } },
      signal,
    }),
  )
  return data.products.filter(({ status }) => status === 'active')
}

/** The name of an order line, as in E14. */
function lineName(product: string, sku: string): string {
  if (sku === '' || sku === product) return product
  return sku.startsWith(product) ? sku : `${product} - ${sku}`
}
