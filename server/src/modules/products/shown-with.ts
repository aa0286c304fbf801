import { noneSelected, type Selected } from './rules.ts'

/** What the response of a replaced record set shows of the product: as E9, with the set that was sent. */
export function shownWith(more: Partial<Selected>) {
  const select = { ...noneSelected(), skus: true, variants: true, ...more }
  return { select, skuDrafts: true, warehouseId: undefined }
}
