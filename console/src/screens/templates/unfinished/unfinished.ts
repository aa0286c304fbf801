import type { paths } from '@shopbell/client'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { IfMatch } from '../../../components/concurrent-edits/use-edit.ts'
import { type Draft, emptyDraft } from '../editor/draft.ts'

const PATH = '/api/external/notify-template/unfinished'
const ONE = `${PATH}/{id}` as const
type Paths = paths[typeof ONE]['get']['responses'][200]['content']['application/json']
/** An unfinished template: the editor's form as it is. */
export type Unfinished = Paths['data']

const LONGEST_NAME = 500

export const unfinishedListQuery = queryOptions({
  queryKey: ['templates', 'unfinished', 'list'],
  queryFn: () => dataOf(api.GET(PATH)),
})

/** Read again whenever the form opens, because another person may have changed it. */
export const unfinishedQuery = (id: string) =>
  queryOptions({
    queryKey: ['templates', 'unfinished', 'one', id],
    gcTime: 0,
    queryFn: () => dataOf(api.GET(ONE, { params: { path: { id } } })),
  })

/** Stores the form, replacing `stored`. A new one is created only once for a key. */
export async function keepUnfinished(
  stored: Unfinished | undefined,
  draft: Draft,
  headers: IfMatch | Record<'idempotency-key', string>,
): Promise<Unfinished> {
  const body = { name: draft.name.slice(0, LONGEST_NAME), content: JSON.stringify(draft) }
  const params = { path: { id: stored?._id ?? '' } }
  const call =
    stored === undefined ? api.POST(PATH, { body, headers }) : api.PUT(ONE, { params, body, headers })
  return (await dataOf(call)).data
}

export async function dropUnfinished({ _id }: Pick<Unfinished, '_id'>): Promise<void> {
  await dataOf(api.DELETE(ONE, { params: { path: { id: _id } } }))
}

/** The stored form. Content without a form, which another system may have written, gives an empty form with that name. */
export function draftOfUnfinished({ name, content }: Unfinished): Draft {
  const empty = { ...emptyDraft(''), name }
  try {
    const kept = JSON.parse(content) as Partial<Draft>
    const isForm = [kept.contentBlocks, kept.params, kept.buttons, kept.images].every(Array.isArray)
    return isForm ? { ...empty, ...kept } : empty
  } catch {
    return empty
  }
}
