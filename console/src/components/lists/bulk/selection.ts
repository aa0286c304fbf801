import { useEffect, useMemo, useRef, useState } from 'react'
import { queryClient } from '../../../api/query.ts'
import { useSession } from '../../../shell/session.tsx'

/** The service accepts this many ids of records in one request. */
export const MOST_SELECTED = 100

export type Selection<R> = {
  rows: readonly R[]
  has: (row: R) => boolean
  toggle: (row: R) => void
  /** Selects all of these rows, or deselects them if all are already selected. */
  toggleAll: (rows: readonly R[]) => void
  clear: () => void
  /** Keeps only these rows selected. */
  keep: (rows: readonly R[]) => void
  /** The name of a row for the reader. */
  nameOf: (row: R) => string
}

type List = 'orders' | 'customers' | 'products'
type Selected<R> = { scope: string; rows: readonly R[] }

/**
 * The selected rows of a list, also on its other pages, and still when one comes back to it, for example from one of its records.
 * `scope` identifies what the list shows: when it changes, for example with another search, nothing is selected.
 */
export function useSelection<R extends { _id: string }>(
  list: List,
  scope: string,
  nameOf: (row: R) => string,
): Selection<R> {
  const { shop } = useSession()
  const [place] = useState(() => [SELECTED, list, shop?._id])
  const [state, setState] = useState(
    () => queryClient.getQueryData<Selected<R>>(place) ?? { scope, rows: NONE },
  )
  const latest = useRef(state)
  latest.current = state
  useEffect(() => () => void queryClient.setQueryData(place, latest.current), [place])
  const rows = state.scope === scope ? state.rows : NONE
  return useMemo(() => {
    const ids = new Set(rows.map(({ _id }) => _id))
    const set = (next: readonly R[]) => setState({ scope, rows: next.slice(0, MOST_SELECTED) })
    const without = (gone: readonly R[]) => {
      const left = new Set(gone.map(({ _id }) => _id))
      return rows.filter(({ _id }) => !left.has(_id))
    }
    return {
      rows,
      has: ({ _id }) => ids.has(_id),
      toggle: (row) => set(ids.has(row._id) ? without([row]) : [...rows, row]),
      toggleAll: (all) =>
        set(all.every(({ _id }) => ids.has(_id)) ? without(all) : [...without(all), ...all]),
      clear: () => set([]),
      keep: set,
      nameOf,
    }
  }, [rows, scope, nameOf])
}

/** A record that is deleted is selected no more. */
export function deselect(list: List, id: string): void {
  queryClient.setQueriesData<Selected<{ _id: string }>>({ queryKey: [SELECTED, list] }, (kept) =>
    kept === undefined ? kept : { ...kept, rows: kept.rows.filter(({ _id }) => _id !== id) },
  )
}

const NONE: readonly never[] = []
/** The beginning of the query cache's places for what was selected in a list that was left. It is kept for minutes. */
const SELECTED = 'selected'
