import { useMemo, useState } from 'react'

/** The service takes the ids of this many records in one request. */
export const MOST_SELECTED = 100

export type Selection<R> = {
  rows: readonly R[]
  has: (row: R) => boolean
  toggle: (row: R) => void
  /** Selects all of these; where all of them are, none of them any more. */
  toggleAll: (rows: readonly R[]) => void
  clear: () => void
  /** Leaves only these selected. */
  keep: (rows: readonly R[]) => void
  /** What a reader of the list calls a row. */
  nameOf: (row: R) => string
}

/**
 * The rows of a list that somebody selected, also on its other pages. `scope` is what the list shows: once it shows something
 * else, such as another search, none are selected.
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
