import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { queryClient } from '../../../api/query.ts'
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

/**
 * A member's saved views of all lists of a shop. The browser keeps the last answer, so that a list opens with its views in place;
 * they are read anew nevertheless.
 */
const viewsQuery = (userId: string, shopId: string) =>
  queryOptions({
    queryKey: ['saved-views', userId, shopId],
    staleTime: 60_000,
    initialData: () => {
      const kept = localStorage.getItem(placeOf(userId, shopId))
      return kept === null ? undefined : (JSON.parse(kept) as SavedViews[])
    },
    initialDataUpdatedAt: 0,
    // Without a network it fails, instead of waiting for one.
    networkMode: 'always',
    queryFn: async () => {
      const { data } = await dataOf(api.GET('/api/console/v1/saved-views'))
      try {
        localStorage.setItem(placeOf(userId, shopId), JSON.stringify(data))
      } catch {
        // A full storage costs only the chips' first moment.
      }
      return data
    },
  })

const placeOf = (userId: string, shopId: string) => `shopbell.views ${userId} ${shopId}`

/** Whether the person can save views: an operator who only visits the shop has none there. */
export function useHasViews(): boolean {
  const { shop } = useSession()
  return shop !== undefined && shop.visitUntil == null
}

/**
 * The member's saved views of a list, in the present shop. `present` is what the address has now, and `opened` the view that equals
 * it. `open` opens a view or, for the opened one, shows the list without filters. `read` is the reading that the caller asked for with
 * `mustRead`: without its success, `views` may be old or missing, and must not be saved. `replace` saves them.
 * @throws Problem from `replace`, when the service refuses it.
 */
export function useSavedViews(list: ViewedList, { mustRead = false } = {}) {
  const { user, shop } = useSession()
  const query = viewsQuery(user._id, shop?._id ?? '')
  const enabled = useHasViews()
  const read = useQuery({
    ...query,
    enabled,
    ...(mustRead && { refetchOnMount: 'always' as const }),
  })
  const views = (enabled && read.data?.find((one) => one.list === list)?.views) || NONE
  const address = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const present = filtersOf(address)
  const opened = views.find(({ search }) => textOf(search) === textOf(present))
  return {
    views,
    read,
    present,
    opened,
    open(view: View) {
      const size = address.size === undefined ? {} : { size: address.size }
      void navigate({ to: '.', search: { ...(view === opened ? {} : view.search), ...size } as never })
    },
    async replace(changed: View[]) {
      await dataOf(api.PUT('/api/console/v1/saved-views', { body: { list, views: changed } }))
      await queryClient.invalidateQueries(query)
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
