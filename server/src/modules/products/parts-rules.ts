import { invalidField } from '../../errors.ts'
import { isObjectId, type ObjectId } from '../../lib/object-id.ts'

export type SentTier = { _id?: string; skuId: string; minQuantity: number; price: number }
export type NewTier = { id: ObjectId; sku_id: ObjectId; min_quantity: number; price: number }

export type SentSubItemsGroup = {
  _id?: string
  name: string
  isRequired?: boolean
  maxSelect?: number
  subItems: { _id?: string; name: string; price?: number }[]
}
export type NewSubItem = { id: ObjectId; group_id: ObjectId; name: string; price: number; position: number }
export type NewSubItemsGroup = {
  id: ObjectId
  name: string
  is_required: boolean
  max_select: number
  position: number
}

type Path = (string | number)[]

/**
 * The wholesale prices of a product as they are stored (G-37), and what is odd about them: a price above that of the
 * tier before it is told and kept, as a shop may mean it.
 * @throws ValidationError for a SKU that is none of the product's in use, a `minQuantity` not above the one before of
 *   the same SKU, and an `_id` that is no tier of the product or is sent twice.
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
    if (!skuIds.has(skuId)) throw invalidField([...path, 'skuId'], 'is not a SKU of this product')
    const before = last.get(skuId)
    if (before !== undefined && tier.minQuantity <= before.min_quantity) {
      throw invalidField(
        [...path, 'minQuantity'],
        `must be greater than ${before.min_quantity}, the quantity of this SKU’s previous tier`,
      )
    }
    if (before !== undefined && tier.price > before.price) {
      warnings.push(`"wholesalePrices[${at}].price" is higher than the price of this SKU’s previous tier`)
    }
    const id = keep(tier._id, [...path, '_id'], 'a wholesale price')
    const made = { id, sku_id: skuId, min_quantity: tier.minQuantity, price: tier.price }
    last.set(skuId, made)
    return made
  })
  return { tiers, warnings }
}

/**
 * The sub-items groups of a product as they are stored, in the order sent (G-37).
 * @throws ValidationError for an `_id` that is none of the product's or is sent twice.
 */
export function planSubItems(
  sent: SentSubItemsGroup[],
  known: { groupIds: ObjectId[]; itemIds: ObjectId[] },
  nextId: () => ObjectId,
): { groups: NewSubItemsGroup[]; items: NewSubItem[] } {
  const keepGroup = keptIds(known.groupIds, nextId)
  const keepItem = keptIds(known.itemIds, nextId)
  const items: NewSubItem[] = []
  const groups = sent.map((group, position) => {
    const path = ['subItemsGroups', position]
    const id = keepGroup(group._id, [...path, '_id'], 'a sub-items group')
    for (const [at, item] of group.subItems.entries()) {
      const itemId = keepItem(item._id, [...path, 'subItems', at, '_id'], 'a sub-item')
      items.push({ id: itemId, group_id: id, name: item.name, price: item.price ?? 0, position: at })
    }
    return {
      id,
      name: group.name,
      is_required: group.isRequired ?? false,
      max_select: group.maxSelect ?? 1,
      position,
    }
  })
  return { groups, items }
}

/** The id that each part gets: a known one that is sent, once, or a new one. */
function keptIds(known: ObjectId[], nextId: () => ObjectId) {
  const left = new Set(known)
  return (sent: string | undefined, path: Path, what: string): ObjectId => {
    if (sent === undefined) return nextId()
    const id = isObjectId(sent) ? sent.toLowerCase() : ''
    if (left.delete(id)) return id
    throw invalidField(
      path,
      known.includes(id) ? 'duplicates an earlier _id' : `is not ${what} of this product`,
    )
  }
}
