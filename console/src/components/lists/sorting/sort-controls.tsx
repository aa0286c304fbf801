import { NativeSelect } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/language.tsx'
import classes from './sorting.module.css'
import {
  allOrders,
  type ColumnSort,
  directionOf,
  fieldOf,
  NEWEST,
  nextOrder,
  ordersOf,
  type Sorting,
} from './sorting.ts'

/** The `aria-sort` of a column's heading; undefined unless the rows are sorted by that column. */
export function ariaSortOf(
  sort: ColumnSort | undefined,
  sorting: Sorting | undefined,
): 'ascending' | 'descending' | undefined {
  if (sort === undefined || sorting === undefined || fieldOf(sorting.order) !== sort.by) return undefined
  return directionOf(sorting.order) === 'asc' ? 'ascending' : 'descending'
}

/** A column's heading that sorts the list. The arrow's space is reserved even while it is hidden. */
export function SortHeading(props: { sort: ColumnSort; sorting: Sorting; children: ReactNode }) {
  const { sort, sorting, children } = props
  const shown = ariaSortOf(sort, sorting)
  const Arrow = (shown === undefined ? ordersOf(sort)[0]! : sorting.order).startsWith('-')
    ? IconArrowDown
    : IconArrowUp
  return (
    <button
      type="button"
      className={classes.heading}
      data-shown={shown !== undefined || undefined}
      onClick={() => sorting.setOrder(nextOrder(sort, sorting))}
    >
      {children}
      <Arrow size={14} stroke={2} aria-hidden />
    </button>
  )
}

/** A field for the order on a phone, where rows are cards without headings. */
export function SortSelect(props: { columns: { title?: string; sort?: ColumnSort }[]; sorting: Sorting }) {
  const { columns, sorting } = props
  const { sortBy, newestFirst, orders } = useTexts(common)
  const choices = columns.flatMap(({ title = '', sort }) =>
    sort === undefined
      ? []
      : ordersOf(sort).map((value) => ({
          value,
          label: `${title}: ${orders[sort.of][directionOf(value)]}`,
        })),
  )
  const isNewestToo =
    allOrders(columns, sorting.usual).includes(NEWEST) && !choices.some(({ value }) => value === NEWEST)
  return (
    <NativeSelect
      hiddenFrom="sm"
      mb="xs"
      aria-label={sortBy}
      value={sorting.order}
      data={isNewestToo ? [{ value: NEWEST, label: newestFirst }, ...choices] : choices}
      onChange={(event) => sorting.setOrder(event.currentTarget.value)}
    />
  )
}
