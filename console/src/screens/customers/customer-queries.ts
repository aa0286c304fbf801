import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'

export const customerQuery = (id: string) =>
  queryOptions({
    queryKey: ['customers', 'one', id],
    queryFn: async () =>
      (await dataOf(api.GET('/api/external/v1/customers/{id}', { params: { path: { id } } }))).data,
  })

/** The customers with these ids, `a,b,c`, who exist in the shop. */
export const chosenCustomersQuery = (ids: string) =>
  queryOptions({
    queryKey: ['customers', 'chosen', ids],
    queryFn: async () =>
      (await dataOf(api.GET('/api/external/v1/customers', { params: { query: { ids } } }))).data.customers,
  })

/** What a customer owes. It is read again whenever it is shown, because any payment changes it. */
export const debtQuery = (id: string) =>
  queryOptions({
    queryKey: ['customers', 'debt', id],
    staleTime: 0,
    queryFn: async () =>
      (await dataOf(api.GET('/api/external/v1/customers/{id}/debt', { params: { path: { id } } }))).data,
  })
