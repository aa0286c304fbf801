import type { ObjectId } from '../../../lib/object-id.ts'
import { keptIds } from '../kept-ids.ts'

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

/**
 * The sub-items groups of a product as they are stored, in the order sent (G-37).
 * @throws ValidationError for an `_id` that the product does not have or that is sent twice.
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
    const id = keepGroup(group._id, [...path, '_id'], 'sub-items group')
    for (const [at, item] of group.subItems.entries()) {
      const itemId = keepItem(item._id, [...path, 'subItems', at, '_id'], 'sub-item')
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
