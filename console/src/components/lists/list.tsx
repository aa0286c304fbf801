import type { ReactNode } from 'react'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { EmptyState, Loaded } from '../page.tsx'
import { type Column, DataTable } from './data-table.tsx'
import classes from './list.module.css'
import { type Length, Pager } from './pager.tsx'

/** A page of a list with its pager. An empty list says what it is for or, with `isFiltered`, that nothing matches. */
export function List<D, R extends { _id: string }>(props: {
  query: Parameters<typeof Loaded<D>>[0]['query'] & { isPlaceholderData?: boolean }
  rowsOf: (data: D) => readonly R[]
  lengthOf: (data: D) => Length
  columns: Column<R>[]
  state: { page: number; size: number }
  setState: (change: { page?: number; size?: number }) => void
  sizes?: readonly number[]
  isFiltered?: boolean
  empty: { title: string; hint: string; action?: ReactNode }
}) {
  const { query, rowsOf, lengthOf, columns, state, setState, sizes, isFiltered = false, empty } = props
  const { nothingFound, fewerFilters } = useTexts(common)
  return (
    <Loaded query={query}>
      {(data) => {
        const rows = rowsOf(data)
        if (rows.length === 0 && state.page === 1)
          return (
            <EmptyState
              title={isFiltered ? nothingFound : empty.title}
              hint={isFiltered ? fewerFilters : empty.hint}
              action={!isFiltered && empty.action}
            />
          )
        return (
          <>
            <div className={classes.rows} aria-busy={query.isPlaceholderData ?? false}>
              <DataTable columns={columns} rows={rows} keyOf={({ _id }) => _id} />
            </div>
            <Pager
              page={state.page}
              size={state.size}
              sizes={sizes}
              length={lengthOf(data)}
              onChange={setState}
            />
          </>
        )
      }}
    </Loaded>
  )
}
