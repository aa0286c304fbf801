import { noneSelected, type Selected } from './rules.ts'

/** The parts that the response to a replacement shows: E9's parts and the replaced ones. */
export function shownWith(more: Partial<Selected>) {
  const select = { ...noneSelected(), skus: true, variants: true, ...more }
  return { select, skuDrafts: true, warehouseId: undefined }
}
