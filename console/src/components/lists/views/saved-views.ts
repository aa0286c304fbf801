import { useLocalStorage } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useSession } from '../../../shell/session.tsx'

type Search = Record<string, string | number>
/** A list's filters, search and order as in the address, under a name. */
export type View = { name: string; search: Search }

export const MOST_VIEWS = 20
export const LONGEST_NAME = 40
const NONE: View[] = []

/**
 * The saved views of a list, for this person and shop in this browser. `present` is what the address has now, and
 * `opened` the view that equals it. `open` opens a view or, for the opened one, shows the list without filters.
 */
export function useSavedViews(list: string) {
  const { user, shop } = useSession()
  const [views, setViews] = useLocalStorage<View[]>({
    key: `shopbell.views ${list} ${user._id} ${shop?._id ?? ''}`,
    defaultValue: NONE,
    getInitialValueInEffect: false,
  })
  const address = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const present = filtersOf(address)
  const opened = views.find(({ search }) => textOf(search) === textOf(present))
  return {
    views,
    setViews,
    present,
    opened,
    open(view: View) {
      const size = address.size === undefined ? {} : { size: address.size }
      void navigate({ to: '.', search: { ...(view === opened ? {} : view.search), ...size } as never })
    },
  }
}

/** The filters without the page and the page size. */
function filtersOf(address: Record<string, unknown>): Search {
  const isKept = ([name, value]: [string, unknown]) =>
    name !== 'page' && name !== 'size' && (typeof value === 'string' || typeof value === 'number')
  return Object.fromEntries(Object.entries(address).filter(isKept)) as Search
}

/** The same text for the same filters in any order. A number equals its digits. */
const textOf = (search: Search) =>
  JSON.stringify(
    Object.entries(search)
      .map(([name, value]) => [name, String(value)])
      .sort(([one = ''], [other = '']) => one.localeCompare(other)),
  )
