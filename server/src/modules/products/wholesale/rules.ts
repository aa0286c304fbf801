import { invalidField } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { keptIds } from '../kept-ids.ts'

export type SentTier = { _id?: string; skuId: string; minQuantity: number; price: number }
export type NewTier = { id: ObjectId; sku_id: ObjectId; min_quantity: number; price: number }

/**
 * The wholesale prices of a product as they are stored (G-37), and warnings about them: a price above the previous
 * tier's is kept with a warning, since the shop may intend it.
 * @throws ValidationError for a SKU that is not an active one of the product, a `minQuantity` that is not above the
 *   same SKU's previous one, and an `_id` that the product does not have or that is sent twice.
 */
export function planTiers(
  sent: SentTier[],
  known: { skuIds: ObjectId[]; ids: ObjectId[] },
  nextId: () => ObjectId,
): { tiers: NewTier[]; warnings: string[] } {
  const keep = keptIds(known.ids, nextId)
  const skuIds = new Set(known.skuIds)
  const last = new Map<ObjectId, NewTier>()
  const warnings: string[] = []
  const tiers = sent.map((tier, at) => {
    const path = ['wholesalePrices', at]
    const skuId = tier.skuId.toLowerCase()
    if (!skuIds.has(skuId)) throw invalidField([...path, 'skuId'], 'product.unknown', { kind: 'SKU' })
    const before = last.get(skuId)
    if (before !== undefined && tier.minQuantity <= before.min_quantity) {
      throw invalidField([...path, 'minQuantity'], 'tier.notAbove', { limit: before.min_quantity })
    }
    if (before !== undefined && tier.price > before.price) {
      warnings.push(`"wholesalePrices[${at}].price" is higher than the price of this SKU’s previous tier`)
    }
    const id = keep(tier._id, [...path, '_id'], 'wholesale price')
    const made = { id, sku_id: skuId, min_quantity: tier.minQuantity, price: tier.price }
    last.set(skuId, made)
    return made
  })
  return { tiers, warnings }
}
