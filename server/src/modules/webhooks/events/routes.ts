import type { Deps } from '../../../deps.ts'
import { invalidQuery } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { readFeedCursor } from '../../../lib/lists/feed-cursor.ts'
import { presentEvent } from './present.ts'
import { readEvents } from './read-events.ts'
import { askedEventTypes } from './rules.ts'
import { readEventsAnswer, readEventsQuery } from './schema.ts'

/** G-68: the events of the last 30 days. */
export function eventRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/external/events',
    {
      schema: {
        tags: ['Webhooks'],
        operationId: 'readEvents',
        summary: 'Read the events of the last 30 days with their deliveries, oldest first',
        description:
          'Every event is kept, whether or not an endpoint asked for its type. A cursor skips nothing, not even what commits later, and is valid for 30 days; after that, the response is 410 CURSOR_TOO_OLD, and reading starts over without `after`.',
        querystring: readEventsQuery,
        errors: ['CURSOR_TOO_OLD'],
        response: { 200: readEventsAnswer },
      },
    },
    async (request) => {
      const { after, limit } = request.query
      const shopId = request.shop.id
      const types = askedEventTypes(request.query.types)
      const cursor = after === undefined ? undefined : readFeedCursor('events', shopId, after, ['event'])
      if (after !== undefined && cursor === undefined) throw invalidQuery('after', 'cursor.unknown')
      const { events, nextCursor, hasMore } = await readEvents(deps, shopId, cursor, types, limit)
      return {
        success: true,
        data: { events: events.map(presentEvent), meta: { limit, nextCursor, hasMore } },
      }
    },
  )
}
