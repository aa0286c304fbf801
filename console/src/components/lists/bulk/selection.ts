import { useMemo, useState } from 'react'

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

/**
 * The selected rows of a list, also on its other pages. `scope` identifies what the list shows: when it changes, for
 * example with another search, nothing is selected.
 */
export function useSelection<R extends { _id: string }>(
  scope: string,
  nameOf: (row: R) => string,
): Selection<R> {
  const [state, setState] = useState<{ scope: string; rows: readonly R[] }>({ scope, rows: [] })
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

const NONE: readonly never[] = []
