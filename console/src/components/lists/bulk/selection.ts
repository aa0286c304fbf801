import { useMemo, useState } from 'react'
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
  /** The rows stay selected, but not for somebody who leaves the list and comes back. */
  forget: () => void
  /** Replaces selected rows by these, where they are the same records. */
  refresh: (rows: readonly R[]) => void
  /** The name of a row for the reader. */
  nameOf: (row: R) => string
}

type Selected<R> = { scope: string; rows: readonly R[] }

/** What was selected in the lists of this window, by person, shop and list. */
const kept = new Map<string, Selected<{ _id: string }> & { at: number }>()
const KEPT_MS = 30 * 60_000

/**
 * The selected rows of a list, also on its other pages, and after a return to it, for example from one of its records.
 * `scope` identifies what the list shows: when it changes, for example with another search, nothing is selected.
 */
export function useSelection<R extends { _id: string }>(
  list: 'orders' | 'customers' | 'products' | 'messages',
  scope: string,
  nameOf: (row: R) => string,
): Selection<R> {
  const { user, shop } = useSession()
  const place = JSON.stringify([user._id, shop?._id, list])
  const [state, setState] = useState(() => ({ place, ...selectedAt<R>(place) }))
  const rows = state.place === place && state.scope === scope ? state.rows : NONE
  return useMemo(() => {
    const ids = new Set(rows.map(({ _id }) => _id))
    const set = (next: readonly R[]) => {
      const selected = { scope, rows: next.slice(0, MOST_SELECTED) }
      kept.set(place, { ...selected, at: Date.now() })
      setState({ place, ...selected })
    }
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
      forget: () => void kept.delete(place),
      refresh(found) {
        const fresh = new Map(found.map((row) => [row._id, row]))
        const next = rows.map((row) => fresh.get(row._id) ?? row)
        if (next.some((row, at) => row !== rows[at])) setState({ place, scope, rows: next })
      },
      nameOf,
    }
  }, [rows, place, scope, nameOf])
}

function selectedAt<R>(place: string): Selected<R> {
  const found = kept.get(place)
  if (found === undefined || Date.now() - found.at > KEPT_MS) return { scope: '', rows: NONE }
  return found as unknown as Selected<R>
}

/** A deleted record is no longer selected. */
export function deselect(id: string): void {
  for (const [place, found] of kept)
    kept.set(place, { ...found, rows: found.rows.filter(({ _id }) => _id !== id) })
}

const NONE: readonly never[] = []
