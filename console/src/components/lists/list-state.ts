import { useNavigate, useSearch } from '@tanstack/react-router'

type State = Record<string, string | number>

/**
 * A list's filters and page, kept in the address so that the back button and shared links work. Other parts of the
 * address stay unchanged. Changing a filter returns to page 1. Default values are left out of the address.
 */
export function useListState<S extends State>(defaults: S): [S, (change: Partial<S>) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const state = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, likeDefault(search[name], value)]),
  ) as S
  return [
    state,
    (change) => {
      const next: State = { ...state, ...('page' in change ? {} : { page: 1 }), ...change }
      const kept = Object.entries(next).filter(([name, value]) => value !== '' && value !== defaults[name])
      const others = Object.entries(search).filter(([name]) => !(name in next))
      const address = Object.fromEntries([...others, ...kept])
      void navigate({ to: '.', search: address as never, replace: !('page' in change) })
    },
  ]
}

/** A value from the address in the type of its default: the router reads a text of digits as a number. */
function likeDefault(found: unknown, value: string | number): string | number {
  if (found === undefined) return value
  return typeof value === 'string' ? String(found) : Number(found) || value
}
