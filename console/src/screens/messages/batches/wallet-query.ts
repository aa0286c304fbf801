import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'

/** The wallet: its balance and what is held of it, in đồng. */
export const walletQuery = queryOptions({
  queryKey: ['wallet'],
  queryFn: () => dataOf(api.GET('/api/external/wallet')),
})
