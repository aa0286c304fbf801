import type { Product } from '../product-queries.ts'
import { activeSkus, type Made, newId, rowsIn } from './variant-rows.ts'

/** The price from a quantity on. `sku` is the id of a SKU, or the key of the row that will become one. */
export type Tier = { key: string; _id?: string; sku: string; minQuantity: number; price: number | null }

/** Replaces a row's key for the only SKU of a product without variants. */
export const ONLY_SKU = 'only'

export function tiersOf(product: Pick<Product, 'wholesalePrices'> | undefined): Tier[] {
  return (product?.wholesalePrices ?? []).map(({ skuId, ...tier }) => ({
    ...tier,
    sku: skuId,
    key: tier._id,
  }))
}

export function newTier(sku: string, price: number | null): Tier {
  return { key: newId(), sku, minQuantity: 10, price }
}

/** Sorted as the service requires: the prices of one SKU by rising quantity. */
export function inOrder(tiers: Tier[]): Tier[] {
  return tiers.toSorted((a, b) => a.sku.localeCompare(b.sku) || a.minQuantity - b.minQuantity)
}

/** Whether a larger quantity costs more per piece than a smaller one, which is allowed but rarely intended. */
export function isAbove(tiers: Tier[]): boolean {
  return inOrder(tiers).some(({ sku, price }, at, all) => {
    const before = all[at - 1]
    return before?.sku === sku && (price ?? 0) > (before.price ?? 0)
  })
}

/** The SKUs that the product will have after its variants are saved, for which prices can be set. */
export function skuChoices(
  made: Made,
  product: Product | undefined,
  { name, price }: { name: string; price: number | null },
): { value: string; label: string; price: number | null }[] {
  const rows = rowsIn(made, price ?? 0)
  if (rows.length > 0)
    return rows.map((row) => ({ value: row._id ?? row.key, label: row.name, price: row.price }))
  const skus = activeSkus(product)
  const isSame = skus.every(({ variantOptionIDs }) => variantOptionIDs.length === 0)
  return isSame && skus.length > 0
    ? skus.map((sku) => ({ value: sku._id, label: sku.name || name, price: sku.price }))
    : [{ value: ONLY_SKU, label: name, price }]
}

export function sentTier({ key: _, price, sku, ...tier }: Tier) {
  return { ...tier, skuId: sku, price: price ?? 0 }
}
