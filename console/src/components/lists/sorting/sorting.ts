/**
 * How a column can be sorted: the API's name of the order, and the kind of its values. `isFixed`: the API supports one
 * direction only. `isDown`: the first press sorts downwards, as by a time.
 */
export type ColumnSort = {
  by: string
  of: 'text' | 'number' | 'time'
  isFixed?: boolean
  isDown?: boolean
}

/** The order of a list's rows as in the address: `price`, or `-price` for the largest first. */
export type Sorting = {
  order: string
  /** The default order, which the address leaves out. */
  usual: string
  setOrder: (order: string) => void
}

/** The API's default order, also for a list in which no column shows the time. */
export const NEWEST = '-createdAt'

/** The orders of a column; the first is the one after the first press on its heading. */
export function ordersOf({ by, of, isFixed, isDown }: ColumnSort): string[] {
  const all = isDown || of === 'time' ? [`-${by}`, by] : [by, `-${by}`]
  return isFixed ? all.slice(0, 1) : all
}

/** The order after a press on the column's heading: first each of its own orders, then the list's default. */
export function nextOrder(sort: ColumnSort, { order, usual }: Sorting): string {
  const orders = ordersOf(sort)
  return orders[orders.indexOf(order) + 1] ?? usual
}

/** Every order of a list with these columns, and the newest first if that is the default or no column is a time. */
export function allOrders(columns: { sort?: ColumnSort }[], usual: string): string[] {
  const sorts = columns.flatMap(({ sort }) => sort ?? [])
  const orders = sorts.flatMap(ordersOf)
  const isNewestToo = usual === NEWEST || !sorts.some((sort) => sort.of === 'time')
  return isNewestToo && !orders.includes(NEWEST) ? [NEWEST, ...orders] : orders
}

/** The list's order from its state, where an empty `sort` means the default. An unknown order counts as the default. */
export function sortingOf(
  columns: { sort?: ColumnSort }[],
  asked: string,
  setList: (change: { sort: string }) => void,
  usual = NEWEST,
): Sorting {
  return {
    order: allOrders(columns, usual).includes(asked) ? asked : usual,
    usual,
    setOrder: (order) => setList({ sort: order === usual ? '' : order }),
  }
}

export const fieldOf = (order: string) => order.replace(/^-/, '')
export const directionOf = (order: string) => (order.startsWith('-') ? 'desc' : 'asc')
