import type { paths } from '@shopbell/client'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { Article } from '../../../api/rows.ts'
import type { IfMatch } from '../../../components/concurrent-edits/use-edit.ts'
import { instantOf } from '../../../format.ts'
import type { ArticleValues, RelatedProduct } from '../article-values.ts'

const PATH = '/api/external/v1/news-drafts'
const ONE = `${PATH}/{id}` as const
/** The name of the list's tab with the drafts. */
export const DRAFTS = 'drafts'
/** The most ids that a list accepts. */
const MOST_IDS = 100

type Stored = paths[typeof ONE]['get']['responses'][200]['content']['application/json']['data']
/** An article that is being written or waits to be published, with the products that it names. */
export type Draft = Stored & { items: RelatedProduct[] }
/** A draft as in the list. */
export type DraftHead =
  paths[typeof PATH]['get']['responses'][200]['content']['application/json']['data'][number]

export const draftListQuery = queryOptions({
  queryKey: ['news', 'drafts', 'list'],
  queryFn: async () => (await dataOf(api.GET(PATH))).data,
})

/** Read again whenever the form opens, because another person may have changed it. */
export const draftKey = (id: string) => ({ queryKey: ['news', 'drafts', 'one', id], gcTime: 0 })

export async function readDraft(id: string): Promise<Draft> {
  const { data } = await dataOf(api.GET(ONE, { params: { path: { id } } }))
  return { ...data, items: await readProducts(data.itemIds) }
}

/** The products with these ids, in this order, without deleted ones. */
async function readProducts(ids: string[]): Promise<RelatedProduct[]> {
  const found: RelatedProduct[] = []
  for (let from = 0; from < ids.length; from += MOST_IDS) {
    const query = { ids: ids.slice(from, from + MOST_IDS).join(','), total: 'none' } as const
    found.push(...(await dataOf(api.GET('/api/external/v1/products', { params: { query } }))).data.products)
  }
  return ids.flatMap((id) => {
    const product = found.find(({ _id }) => _id === id)
    if (product === undefined) return []
    const { _id, name, images, price } = product
    return [{ _id, name, images, price }]
  })
}

/** Stores the form as a draft, replacing the one with this id. A new one is created only once for a key. */
export async function keepDraft(
  id: string | undefined,
  { items, publishAt, ...fields }: ArticleValues,
  headers: IfMatch | Record<'idempotency-key', string>,
): Promise<Draft> {
  const itemIds = items.map(({ _id }) => _id)
  const body = { ...fields, itemIds, publishAt: publishAt === '' ? null : instantOf(publishAt) }
  const params = { path: { id: id ?? '' } }
  const call = id === undefined ? api.POST(PATH, { body, headers }) : api.PUT(ONE, { params, body, headers })
  return { ...(await dataOf(call)).data, items }
}

/** Publishes the draft and returns its article. */
export async function publishDraft(id: string): Promise<Pick<Article, '_id'>> {
  const call = api.POST('/api/external/v1/news-drafts/{id}/publish', { params: { path: { id } } })
  return (await dataOf(call)).data
}

export async function dropDraft(id: string): Promise<void> {
  await dataOf(api.DELETE(ONE, { params: { path: { id } } }))
}
