import type { ReactNode } from 'react'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import { type Column, DataTable } from './data-table.tsx'
import { EmptyState, Loaded } from './page.tsx'
import { type Length, Pager } from './pager.tsx'

/**
 * A page of a list and the way to the others. Where there is none it says what the list is for, or, with `isFiltered`,
 * that nothing fits.
 */
export function List<D, R extends { _id: string }>(props: {
  query: Parameters<typeof Loaded<D>>[0]['query']
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
  const { nothingFound } = useTexts(common)
  return (
    <Loaded query={query}>
      {(data) => {
        const rows = rowsOf(data)
        if (rows.length === 0 && state.page === 1)
          return (
            <EmptyState
              title={empty.title}
              hint={isFiltered ? nothingFound : empty.hint}
              action={!isFiltered && empty.action}
            />
          )
        return (
          <>
            <DataTable columns={columns} rows={rows} keyOf={({ _id }) => _id} />
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
