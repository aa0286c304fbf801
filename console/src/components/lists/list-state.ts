import { useNavigate, useSearch } from '@tanstack/react-router'

type State = Record<string, string | number>

/**
 * A list's filters and page, kept in the address so that going back and sharing a link work. Other parts of the address
 * stay. A changed filter goes back to page 1; defaults are left out.
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

/** A value from the address in its own type: a text of digits is read from there as a number. */
function likeDefault(found: unknown, value: string | number): string | number {
  if (found === undefined) return value
  return typeof value === 'string' ? String(found) : Number(found) || value
}
