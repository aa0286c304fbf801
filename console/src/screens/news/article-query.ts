import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Article } from '../../api/rows.ts'

export const articleQuery = (id: string) =>
  queryOptions({
    queryKey: ['news', id],
    queryFn: async (): Promise<Article> =>
      (await dataOf(api.GET('/api/external/news/{id}', { params: { path: { id } } }))).data,
  })
