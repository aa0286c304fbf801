import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'

/** A product as an article names it. */
export type RelatedProduct = { _id: string; name: string; images: string[]; price: number }

export type Article = {
  _id: string
  title: string
  content: string
  shortContent: string
  slug: string
  metaDescription: string
  status: 'active' | 'inactive'
  images: string[]
  cta: { name: string; url: string }[]
  items: RelatedProduct[]
  updatedAt: string
}

export const articleQuery = (id: string) =>
  queryOptions({
    queryKey: ['news', id],
    queryFn: async (): Promise<Article> =>
      (await dataOf(api.GET('/api/external/news/{id}', { params: { path: { id } } }))).data,
  })
