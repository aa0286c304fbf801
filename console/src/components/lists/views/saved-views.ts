import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { SavedViews } from '../../../api/rows.ts'
import { useSession } from '../../../shell/session.tsx'

/** A list whose views can be saved. */
export type ViewedList = SavedViews['list']
/** A list's filters, search and order as in the address, under a name. */
export type View = SavedViews['views'][number]
type Search = View['search']

export const MOST_VIEWS = 20
export const LONGEST_NAME = 40
const NONE: View[] = []
/** The beginning of the query's key. */
export const SAVED_VIEWS = ['saved-views']

/**
 * The query for a member's saved views of all lists of the present shop. The browser keeps the last answer, so that a list opens with
 * its views in place; they are refetched nevertheless. An operator who only visits the shop has none there: then it reads nothing.
 */
export function useViewsQuery() {
  const { user, shop } = useSession()
  const place = `shopbell.views ${user._id} ${shop?._id ?? ''}`
  return queryOptions({
    queryKey: [...SAVED_VIEWS, user._id, shop?._id],
    enabled: shop !== undefined && shop.visitUntil == null,
    staleTime: 60_000,
    initialData: () => {
      const kept = localStorage.getItem(place)
      return kept === null ? undefined : (JSON.parse(kept) as SavedViews[])
    },
    initialDataUpdatedAt: 0,
    queryFn: async () => {
      const { data } = await dataOf(api.GET('/api/console/v1/saved-views'))
      try {
        localStorage.setItem(place, JSON.stringify(data))
      } catch {
        // A full storage costs only the chips' first moment.
      }
      return data
    },
  })
}

/** Replaces the member's saved views of a list. Afterwards {@link SAVED_VIEWS} are stale. */
export const saveViews = (list: ViewedList, views: View[]) =>
  dataOf(api.PUT('/api/console/v1/saved-views', { body: { list, views } }))

/**
 * The member's saved views of a list. `present` is what the address has now, and `opened` the view that equals it. `open` opens a view
 * or, for the opened one, shows the list without filters.
 */
export function useSavedViews(list: ViewedList) {
  const query = useViewsQuery()
  const { data } = useQuery(query)
  const views = (query.enabled && data?.find((one) => one.list === list)?.views) || NONE
  const address = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const present = filtersOf(address)
  const opened = views.find(({ search }) => textOf(search) === textOf(present))
  return {
    views,
    present,
    opened,
    open(view: View) {
      const size = address.size === undefined ? {} : { size: address.size }
      void navigate({ to: '.', search: { ...(view === opened ? {} : view.search), ...size } as never })
    },
  }
}

/**
 * The filters without the page and the page size, as texts: the router reads digits in an address as a number, but a number in which
 * somebody's phone number is stored would not be erased with the person (G-78).
 */
function filtersOf(address: Record<string, unknown>): Search {
  const isKept = ([name, value]: [string, unknown]) =>
    name !== 'page' && name !== 'size' && (typeof value === 'string' || typeof value === 'number')
  return Object.fromEntries(
    Object.entries(address)
      .filter(isKept)
      .map(([name, value]) => [name, String(value)]),
  )
}

/** The same text for the same filters in any order. */
const textOf = (search: Search) =>
  JSON.stringify(Object.entries(search).sort(([one], [other]) => one.localeCompare(other)))
