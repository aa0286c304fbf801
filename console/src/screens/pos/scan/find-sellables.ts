import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'

/** One SKU as the counter sells it. */
export type Sellable = { skuId: string; name: string; code: string; price: number; stock: number }

/**
 * The SKUs that a scanned or typed text may mean: the one with just this barcode or code; else those whose code begins
 * with it, or of the products whose name has its words, with or without accents. Inactive ones are not sold.
 */
export async function findSellables(text: string): Promise<Sellable[]> {
  const [scanned, found] = await Promise.all([
    // A name has no barcode to ask for.
    /\s/.test(text) ? [] : productsWith({ barcode: text, limit: 5 }),
    productsWith({ search: text, select: 'skus', limit: 20 }),
  ])
  const wanted = foldCode(text)
  const codesOf = ({ sku, barcode }: Sku) => [foldCode(sku), foldCode(barcode)]
  const all = [...scanned, ...found].flatMap((product) =>
    (product.skus ?? []).filter(({ isActive }) => isActive).map((sku) => ({ product, sku })),
  )
  const once = [...new Map(all.map((one) => [one.sku._id, one])).values()]
  const exact = once.filter(({ sku }) => codesOf(sku).includes(wanted))
  const ofProduct = once.filter(({ product }) => codesOf(asCodes(product)).includes(wanted))
  const beginning = once.filter(({ sku }) => codesOf(sku).some((code) => code.startsWith(wanted)))
  const best = [exact, ofProduct, beginning, once].find((some) => some.length > 0) ?? []
  return best.map(({ product, sku }) => ({
    skuId: sku._id,
    name: lineName(product.name, sku.name),
    code: sku.barcode || sku.sku,
    price: sku.price,
    stock: sku.stock_quantity,
  }))
}

/** A code as the service compares it (G-33). */
function foldCode(code: string): string {
  return code.normalize('NFC').toUpperCase().normalize('NFC')
}

type Sku = { sku: string; barcode: string }
const asCodes = (product: { itemSku: string; barcode: string }): Sku => ({
  sku: product.itemSku,
  barcode: product.barcode,
})

async function productsWith(query: { barcode?: string; search?: string; select?: string; limit: number }) {
  const { data } = await dataOf(
    api.GET('/api/external/v1/products', {
      params: { query: { page: 1, total: 'none', sortBy: 'name', sortType: 'asc', ...query } },
    }),
  )
  return data.products.filter(({ status }) => status === 'active')
}

/** As an order line is called (E14). */
function lineName(product: string, sku: string): string {
  if (sku === '' || sku === product) return product
  return sku.startsWith(product) ? sku : `${product} - ${sku}`
}
