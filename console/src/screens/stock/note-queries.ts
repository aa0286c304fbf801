import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Kind, NoteBody } from './note.ts'

/** The queries that are stale after a stock entry. */
export const STALE = [['entries'], ['products'], ['movements'], ['suppliers']]

export const entriesQuery = (kind: Kind, page: number, limit: number, sortType: 'asc' | 'desc') =>
  queryOptions({
    queryKey: ['entries', 'list', kind, page, limit, sortType],
    queryFn: () =>
      dataOf(
        api.GET('/api/external/v1/inventory/entries', {
          params: { query: { type: kind, page, limit, sortType } },
        }),
      ),
  })

export const entryQuery = (id: string) =>
  queryOptions({
    queryKey: ['entries', 'one', id],
    queryFn: async () =>
      (await dataOf(api.GET('/api/external/v1/inventory/entries/{id}', { params: { path: { id } } }))).data,
  })

export type EntryDetail = Awaited<ReturnType<NonNullable<ReturnType<typeof entryQuery>['queryFn']>>>

const SUGGESTED = 20

/** The names of earlier suppliers that contain these letters, ignoring accents. */
export const suppliersQuery = (search: string) =>
  queryOptions({
    queryKey: ['suppliers', search],
    queryFn: async () => {
      const query = { search, limit: SUGGESTED }
      const { data } = await dataOf(api.GET('/api/external/v1/inventory/suppliers', { params: { query } }))
      return data.suppliers.map(({ name }) => name)
    },
  })

/** What a note would change if it were booked now. */
export const previewQuery = (body: NoteBody) =>
  queryOptions({
    queryKey: ['entries', 'preview', body],
    staleTime: 0,
    gcTime: 0,
    queryFn: async () =>
      (await dataOf(api.POST('/api/external/v1/inventory/entries/preview', { body }))).data,
  })

export type Preview = Awaited<ReturnType<NonNullable<ReturnType<typeof previewQuery>['queryFn']>>>
export type PreviewItem = Preview['items'][number]
