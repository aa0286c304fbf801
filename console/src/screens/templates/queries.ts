import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'

const REVIEW_REFRESH_MS = 3_000

/** One template; refreshed while it is in review. */
export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: ['templates', 'one', id],
    refetchInterval: ({ state }) =>
      state.data?.data.status === 'PENDING_REVIEW' ? REVIEW_REFRESH_MS : false,
    queryFn: () => dataOf(api.GET('/api/external/notify-template/{id}', { params: { path: { id } } })),
  })

export const accountsQuery = queryOptions({
  queryKey: ['official-accounts'],
  queryFn: () => dataOf(api.GET('/api/external/official-accounts')),
})
