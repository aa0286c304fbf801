import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'

type State = Record<string, string | number | undefined>

/**
 * A list's filters and page, kept in the address so that going back and sharing a link work.
 * A changed filter starts at page 1 again. What equals its default is left out of the address.
 */
export function useListState<S extends State>(defaults: S): [S, (change: Partial<S>) => void] {
  const search = useSearch({ strict: false }) as Partial<S>
  const navigate = useNavigate()
  const state = { ...defaults, ...search }
  return [
    state,
    (change) => {
      const next: State = { ...state, ...('page' in change ? {} : { page: 1 }), ...change }
      const kept = Object.fromEntries(
        Object.entries(next).filter(
          ([name, value]) => value !== undefined && value !== '' && value !== defaults[name],
        ),
      )
      void navigate({ to: '.', search: kept as never, replace: !('page' in change) })
    },
  ]
}

const SEARCH_AFTER_MS = 250

/** A search box's text, told on once typing rests. */
export function useSearchText(value: string, onSearch: (text: string) => void) {
  const [text, setText] = useState(value)
  const tell = useDebouncedCallback(onSearch, SEARCH_AFTER_MS)
  return {
    value: text,
    onChange(event: { currentTarget: { value: string } }) {
      setText(event.currentTarget.value)
      tell(event.currentTarget.value)
    },
  }
}
