import type { Product } from '../product-queries.ts'
import { newId } from '../variants/variant-rows.ts'

/** `key` is the row's own id in the form. `_id` is the service's, which keeps existing records. */
export type Item = { key: string; _id?: string; name: string; price: number | null }
export type ItemGroup = {
  key: string
  _id?: string
  name: string
  isRequired: boolean
  maxSelect: number | string
  subItems: Item[]
}

export const freshItem = (): Item => ({ key: newId(), name: '', price: 0 })
export const freshGroup = (): ItemGroup => ({
  key: newId(),
  name: '',
  isRequired: false,
  maxSelect: 1,
  subItems: [freshItem()],
})

export function itemGroupsOf(groups: Product['subItemsGroups'] = []): ItemGroup[] {
  return groups.map((group) => ({
    ...group,
    key: group._id,
    subItems: group.subItems.map((item) => ({ ...item, key: item._id })),
  }))
}

/** The compared values of a group, without ids: the service gives new ids to entries that are sent without. */
export function withoutIds({ name, isRequired, maxSelect, subItems }: ItemGroup) {
  return [name, isRequired, Number(maxSelect), subItems.map((item) => [item.name, item.price])]
}

export function sentGroup({ key: _, subItems, maxSelect, ...group }: ItemGroup) {
  return {
    ...group,
    maxSelect: Number(maxSelect) || 1,
    subItems: subItems.map(({ key: __, price, ...item }) => ({ ...item, price: price ?? 0 })),
  }
}
