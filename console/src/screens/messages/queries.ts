import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Template } from '../templates/editor/draft.ts'

const MANY = 100

/** All templates, the newest first, to show names for the platform's numbers. */
export const allTemplatesQuery = queryOptions({
  queryKey: ['templates', 'names'],
  staleTime: 60_000,
  queryFn: async (): Promise<{ templates: Template[] }> => {
    const templates: Template[] = []
    for (let page = 1; ; page++) {
      const params = { query: { page, size: MANY } }
      const read = await dataOf(api.GET('/api/external/notify-template', { params }))
      templates.push(...read.templates)
      if (read.templates.length < MANY) return { templates }
    }
  },
})

/** Templates that may be sent and whose name or title contains these words. Those in review can be sent only as tests. */
export const sendableQuery = (search: string, withPending: boolean) =>
  queryOptions({
    queryKey: ['templates', 'sendable', search, withPending],
    queryFn: async (): Promise<Template[]> => {
      const pages = await Promise.all(
        (withPending ? (['ENABLE', 'PENDING_REVIEW'] as const) : (['ENABLE'] as const)).map((status) =>
          dataOf(
            api.GET('/api/external/notify-template', {
              params: { query: { page: 1, size: MANY, status, search: search || undefined } },
            }),
          ),
        ),
      )
      return pages.flatMap(({ templates }) => templates)
    },
  })

export const messageQuery = (id: string) => ({
  queryKey: ['messages', 'one', id],
  queryFn: () => dataOf(api.GET('/api/external/notify-message/messages/{id}', { params: { path: { id } } })),
})

export const batchQuery = (id: string) => ({
  queryKey: ['batches', 'one', id],
  queryFn: () => dataOf(api.GET('/api/external/notify-message/batches/{id}', { params: { path: { id } } })),
})
