import { type ReactNode, useRef } from 'react'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { EmptyState, Loaded } from '../page.tsx'
import { BulkBar } from './bulk/bulk-bar.tsx'
import type { Selection } from './bulk/selection.ts'
import { ColumnsMenu, useColumnChoice } from './columns-menu.tsx'
import { type Column, DataTable } from './data-table.tsx'
import { KeyHint } from './key-hint.tsx'
import classes from './list.module.css'
import { noteOpened, useListKeys } from './list-keys.ts'
import { LoadingRows } from './loading-rows.tsx'
import { type Length, Pager } from './pager.tsx'
import { SortSelect } from './sorting/sort-controls.tsx'
import type { Sorting } from './sorting/sorting.ts'

const MOST_LOADING = 20

/** A page of a list with its pager. An empty list explains what it is for or, with `isFiltered`, says that nothing matches. */
export function List<D, R extends { _id: string }>(props: {
  query: Parameters<typeof Loaded<D>>[0]['query'] & { isPlaceholderData?: boolean }
  rowsOf: (data: D) => readonly R[]
  lengthOf: (data: D) => Length
  columns: Column<R>[]
  /** With the days of a filter, if it has them. */
  state: { page: number; size: number; from?: string; to?: string }
  setState: (change: { page?: number; size?: number }) => void
  sizes?: readonly number[]
  isFiltered?: boolean
  empty: { title: string; hint: string; action?: ReactNode }
  /** The list's name in stored choices, such as its columns. */
  name?: string
  /** Makes rows selectable; `actions` work on the selected ones. */
  bulk?: { selection: Selection<R>; actions: ReactNode }
  /** The order of the rows, for lists with a `sort` in their columns. */
  sorting?: Sorting
  /** The sums of all rows, beside their number. */
  sums?: ReactNode
  /** How many rows to reserve space for while loading, if fewer than a page are likely. */
  likely?: number
}) {
  const {
    query,
    rowsOf,
    lengthOf,
    columns,
    state,
    setState,
    sizes,
    isFiltered = false,
    empty,
    bulk,
    name,
    sorting,
    sums,
    likely = Math.min(state.size, MOST_LOADING),
  } = props
  const { nothingFound, fewerFilters, reversed, swapDays } = useTexts(common)
  const { from = '', to = '' } = state
  const isReversed = from !== '' && to !== '' && from > to
  const frame = useRef<HTMLDivElement>(null)
  useListKeys(frame)
  const choice = useColumnChoice(name, columns)
  const select = sorting !== undefined && <SortSelect columns={columns} sorting={sorting} />
  const waiting = (
    <>
      {select}
      <LoadingRows columns={choice.shown} count={likely} />
    </>
  )
  return (
    <Loaded query={query} waiting={waiting}>
      {(data) => {
        const rows = rowsOf(data)
        if (rows.length === 0 && state.page === 1)
          return (
            <EmptyState
              title={isReversed ? reversed : isFiltered ? nothingFound : empty.title}
              hint={isReversed ? swapDays : isFiltered ? fewerFilters : empty.hint}
              action={!isFiltered && empty.action}
            />
          )
        return (
          <>
            {select}
            <div
              ref={frame}
              className={classes.rows}
              data-list
              aria-busy={query.isPlaceholderData ?? false}
              onClickCapture={noteOpened}
            >
              <DataTable
                columns={choice.shown}
                rows={rows}
                keyOf={({ _id }) => _id}
                selection={bulk?.selection}
                sorting={sorting}
              />
            </div>
            {bulk !== undefined && (
              <BulkBar selection={bulk.selection} rows={rows}>
                {bulk.actions}
              </BulkBar>
            )}
            <Pager
              page={state.page}
              size={state.size}
              sizes={sizes}
              length={lengthOf(data)}
              sums={sums}
              onChange={setState}
            >
              {name !== undefined && (
                <>
                  <ColumnsMenu columns={columns} isShown={choice.isShown} toggle={choice.toggle} />
                  <KeyHint isSelectable={bulk !== undefined} />
                </>
              )}
            </Pager>
          </>
        )
      }}
    </Loaded>
  )
}
