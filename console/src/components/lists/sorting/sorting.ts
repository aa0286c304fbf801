/** How a column can be ordered: by which word of the API, and what its values are. `isFixed`: the API knows one direction only. */
export type ColumnSort = { by: string; of: 'text' | 'number' | 'time'; isFixed?: boolean }

/** The order of a list's rows as the address has it: `price`, or `-price` for the largest first. */
export type Sorting = {
  order: string
  /** The order of which the address says nothing. */
  usual: string
  setOrder: (order: string) => void
}

/** The API's usual order, also of a list in which no column shows the time. */
export const NEWEST = '-createdAt'

/** The orders of a column; the first is what the first press on its heading gives. */
export function ordersOf({ by, of, isFixed = false }: ColumnSort): string[] {
  const all = of === 'time' ? [`-${by}`, by] : [by, `-${by}`]
  return isFixed ? all.slice(0, 1) : all
}

/** What a press on the column's heading leads to: each of its orders, then the list's usual one. */
export function nextOrder(sort: ColumnSort, { order, usual }: Sorting): string {
  const orders = ordersOf(sort)
  return orders[orders.indexOf(order) + 1] ?? usual
}

/** Every order of a list with these columns; where none is of a time, the newest first too. */
export function allOrders(columns: { sort?: ColumnSort }[]): string[] {
  const sorts = columns.flatMap(({ sort }) => sort ?? [])
  return [...(sorts.some((sort) => sort.of === 'time') ? [] : [NEWEST]), ...sorts.flatMap(ordersOf)]
}

/** The list's order from its state, whose `sort` is empty for the usual one; an unknown one counts as that. */
export function sortingOf(
  columns: { sort?: ColumnSort }[],
  asked: string,
  setList: (change: { sort: string }) => void,
  usual = NEWEST,
): Sorting {
  return {
    order: allOrders(columns).includes(asked) ? asked : usual,
    usual,
    setOrder: (order) => setList({ sort: order === usual ? '' : order }),
  }
}

export const fieldOf = (order: string) => order.replace(/^-/, '')
export const directionOf = (order: string) => (order.startsWith('-') ? 'desc' : 'asc')
