import type { CallOptions, Methods } from './call-types.ts'

type ReadChanges = Methods['copies']['readChanges']
type ReadEvents = Methods['webhooks']['readEvents']
type PageOf<Read extends (...args: never[]) => unknown> =
  Awaited<ReturnType<Read>> extends { data: infer Data } ? Data : never

/**
 * The items available now; pages are read when they are needed. A second iteration continues after the last page that was
 * given completely.
 */
export type Feed<Item> = AsyncIterable<Item> & {
  /** The place after the last page that was given completely: store it, and start there with `after`. */
  readonly cursor: string | undefined
}

export type Feeds = {
  /** The changes after a cursor from an export or from an earlier read (G-66). */
  readonly changes: (
    query?: Parameters<ReadChanges>[0],
    options?: CallOptions,
  ) => Feed<PageOf<ReadChanges>['changes'][number]>
  /** The shop's events with their deliveries, from the oldest one or after a cursor (G-68). */
  readonly events: (
    query?: Parameters<ReadEvents>[0],
    options?: CallOptions,
  ) => Feed<PageOf<ReadEvents>['events'][number]>
}

type ReadPage = (query: object, options?: CallOptions) => Promise<{ data: object }>
type Page = { meta: { nextCursor: string; hasMore: boolean } } & Record<string, unknown>

/** The feeds of a client, each of which reads on from its cursor when it is iterated. */
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
