import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Article } from '../../api/rows.ts'

export async function readArticle(id: string): Promise<Article> {
  return (await dataOf(api.GET('/api/external/news/{id}', { params: { path: { id } } }))).data
}

export const articleQuery = (id: string) =>
  queryOptions({ queryKey: ['news', id], queryFn: () => readArticle(id) })
