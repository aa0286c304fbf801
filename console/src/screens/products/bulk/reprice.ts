import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { HalfDone } from '../../../components/lists/bulk/run-bulk.ts'
import { type Product, readProduct } from '../product-queries.ts'
import { activeSkus, groupsOf } from '../variants/variant-rows.ts'
import { type PriceChange, repriced } from './new-price.ts'

type Patch = { status: 'active' | 'inactive' } | { categoryId: string } | { price: number }

/**
 * Changes a part of a product as it is now; its slug stays.
 * @returns the product as it was read, and its new version
 */
export async function patchProduct(shopId: string, id: string, patchOf: (product: Product) => Patch) {
  const product = await readProduct(id)
  const body = { ...patchOf(product), slug: product.slug, shopId }
  const params = { path: { id } }
  const headers = { 'if-match': `"${product.__v}"` }
  const { data } = await dataOf(api.PATCH('/api/external/v1/products/{id}', { params, body, headers }))
  return { product, version: data.__v }
}

/**
 * Changes the prices of a product and of its SKUs, none of them twice: each request names the version that it changes.
 * @throws HalfDone, with the text `half`, if the SKUs keep their prices
 */
export async function reprice(shopId: string, id: string, change: PriceChange, half: string): Promise<void> {
  const { product, version } = await patchProduct(shopId, id, ({ price }) => ({
    price: repriced(price, change),
  }))
  const groups = groupsOf(product)
  // The only SKU of a product without variants follows its price.
  if (groups.length === 0) return
  const skus = activeSkus(product).map(
    ({ _id, name, price, originPrice, sku, barcode, variantOptionIDs }) => ({
      _id,
      name,
      price: repriced(price, change),
      ...(originPrice === null ? {} : { originPrice }),
      sku,
      barcode,
      variantOptionIds: variantOptionIDs,
    }),
  )
  const params = { path: { id } }
  const headers = { 'if-match': `"${version}"` }
  try {
    const body = { variants: groups, skus }
    await dataOf(api.PUT('/api/external/v1/products/{id}/variants', { params, body, headers }))
  } catch (cause) {
    throw new HalfDone(half, { cause })
  }
}
