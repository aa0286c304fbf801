import type { CallOptions, Methods } from './call-types.ts'

type ReadChanges = Methods['copies']['readChanges']
type ReadEvents = Methods['webhooks']['readEvents']
type PageOf<Read extends (...args: never[]) => unknown> =
  Awaited<ReturnType<Read>> extends { data: infer Data } ? Data : never

/** What there is now, page by page as it is needed. Iterated again, it goes on behind what it has given. */
export type Feed<Item> = AsyncIterable<Item> & {
  /** Behind the last page that was given whole: keep it, and begin there with `after`. */
  readonly cursor: string | undefined
}

export type Feeds = {
  /** What changed after a cursor, that of an export or of an earlier time (G-66). */
  readonly changes: (
    query?: Parameters<ReadChanges>[0],
    options?: CallOptions,
  ) => Feed<PageOf<ReadChanges>['changes'][number]>
  /** The shop's events with their deliveries, from the oldest on or after a cursor (G-68). */
  readonly events: (
    query?: Parameters<ReadEvents>[0],
    options?: CallOptions,
  ) => Feed<PageOf<ReadEvents>['events'][number]>
}

type ReadPage = (query: object, options?: CallOptions) => Promise<{ data: object }>
type Page = { meta: { nextCursor: string; hasMore: boolean } } & Record<string, unknown>

export function buildFeeds({ copies, webhooks }: Methods): Feeds {
  return {
    changes: feedOf(copies.readChanges as ReadPage, 'changes'),
    events: feedOf(webhooks.readEvents as ReadPage, 'events'),
  } as Feeds
}

function feedOf(read: ReadPage, items: string) {
  return (query: { after?: string } = {}, options?: CallOptions): Feed<unknown> => {
    let cursor = query.after
    return {
      get cursor() {
        return cursor
      },
      async *[Symbol.asyncIterator]() {
        for (let hasMore = true; hasMore; ) {
          const data = (await read({ limit: 500, ...query, after: cursor }, options)).data as Page
          yield* data[items] as unknown[]
          cursor = data.meta.nextCursor
          hasMore = data.meta.hasMore
        }
      },
    }
  }
}
