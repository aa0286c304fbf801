import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { HalfDone, RowProblem } from '../../../components/lists/bulk/run-bulk.ts'
import { type Product, readProduct } from '../product-queries.ts'
import { activeSkus, groupsOf } from '../variants/variant-rows.ts'
import { type PriceChange, repriced } from './new-price.ts'

type Status = 'active' | 'inactive'
type Patch = { status: Status } | { categoryId: string | null } | { price: number }

/** Takes a change of a product back, to what was read before it. */
export type Undo = () => Promise<unknown>

/**
 * Changes a part of a product as it is now; its slug stays.
 * @returns the product as it was read, and its new version
 */
async function patchProduct(shopId: string, id: string, patchOf: (product: Product) => Patch) {
  const product = await readProduct(id)
  const body = { ...patchOf(product), slug: product.slug, shopId }
  const params = { path: { id } }
  const headers = { 'if-match': `"${product.__v}"` }
  const { data } = await dataOf(api.PATCH('/api/external/v1/products/{id}', { params, body, headers }))
  return { product, version: data.__v }
}

/** Starts or stops selling a product. */
export async function setStatus(shopId: string, id: string, status: Status): Promise<Undo> {
  const { product: before } = await patchProduct(shopId, id, () => ({ status }))
  return () => patchProduct(shopId, id, () => ({ status: before.status }))
}

/**
 * Gives a product another category.
 * @returns its undo, which throws RowProblem with the text `since` if the category was changed again
 */
export async function moveTo(shopId: string, id: string, categoryId: string, since: string): Promise<Undo> {
  const { product: before } = await patchProduct(shopId, id, () => ({ categoryId }))
  return () =>
    patchProduct(shopId, id, (now) => {
      if (now.categoryId !== categoryId) throw new RowProblem(since)
      return { categoryId: before.categoryId }
    })
}

/** In đồng. `skus` by id; empty for a product without variants, whose only SKU follows the product's price. */
type Prices = { product: number; skus: ReadonlyMap<string, number> }

function pricesOf(product: Product): Prices {
  const skus = groupsOf(product).length === 0 ? [] : activeSkus(product)
  return { product: product.price, skus: new Map(skus.map(({ _id, price }) => [_id, price])) }
}

function isSame(one: Prices, other: Prices): boolean {
  return (
    one.product === other.product &&
    one.skus.size === other.skus.size &&
    [...one.skus].every(([id, vnd]) => other.skus.get(id) === vnd)
  )
}

/**
 * Changes the prices of a product and of its SKUs.
 * @returns its undo, which restores the exact prices, since a percentage of rounded prices does not lead back to them. It throws
 * RowProblem with the text `repricedSince` if prices or variants were changed afterwards.
 * @throws HalfDone, with the text `half`, if the SKUs keep their prices; so does the undo
 */
export async function reprice(
  shopId: string,
  id: string,
  change: PriceChange,
  texts: { half: string; repricedSince: string },
): Promise<Undo> {
  const { before, after } = await setPrices(shopId, id, texts.half, ({ product, skus }) => ({
    product: repriced(product, change),
    skus: new Map([...skus].map(([sku, vnd]) => [sku, repriced(vnd, change)])),
  }))
  return () =>
    setPrices(shopId, id, texts.half, (now) => {
      if (!isSame(now, after)) throw new RowProblem(texts.repricedSince)
      return before
    })
}

/**
 * Sets prices that follow from the current ones, none of them twice: each request names the version that it changes.
 * @throws HalfDone if the SKUs keep their prices
 */
async function setPrices(shopId: string, id: string, half: string, pricesFrom: (before: Prices) => Prices) {
  const { product, version } = await patchProduct(shopId, id, (now) => ({
    price: pricesFrom(pricesOf(now)).product,
  }))
  const before = pricesOf(product)
  const after = pricesFrom(before)
  if (after.skus.size === 0) return { before, after }
  const skus = activeSkus(product).map(
    ({ _id, name, price, originPrice, sku, barcode, variantOptionIDs }) => ({
      _id,
      name,
      price: after.skus.get(_id) ?? price,
      ...(originPrice === null ? {} : { originPrice }),
      sku,
      barcode,
      variantOptionIds: variantOptionIDs,
    }),
  )
  const params = { path: { id } }
  const headers = { 'if-match': `"${version}"` }
  try {
    const body = { variants: groupsOf(product), skus }
    await dataOf(api.PUT('/api/external/v1/products/{id}/variants', { params, body, headers }))
  } catch (cause) {
    throw new HalfDone(half, { cause })
  }
  return { before, after }
}
