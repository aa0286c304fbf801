import type { Static } from 'typebox'
import type { Deps } from '../../../deps.ts'
import { invalidQuery } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { readFeedCursor } from '../../../lib/lists/feed-cursor.ts'
import { TYPE_NAMES } from '../record-types.ts'
import { type Change, cursorOfNow, readChanges } from './read-changes.ts'
import { askedTypes } from './rules.ts'
import { readChangesAnswer, readChangesQuery } from './schema.ts'

type WireChange = Static<typeof readChangesAnswer>['data']['changes'][number]

/** G-66: what changed since a cursor. */
export function changeRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/external/changes',
    {
      schema: {
        tags: ['Copies'],
        operationId: 'readChanges',
        summary: 'Read what changed after a cursor',
        description:
          'In commit order, deletions as `op: "delete"`. A cursor skips nothing, not even what commits later, and is valid for 30 days; after that, the response is 410 CURSOR_TOO_OLD, and a new copy starts with an export.',
        querystring: readChangesQuery,
        errors: ['CURSOR_TOO_OLD'],
        response: { 200: readChangesAnswer },
      },
    },
    async (request) => {
      const { after, limit } = request.query
      const { id: shopId, scopes } = request.shop
      const types = askedTypes(request.query.types, scopes)
      if (after === undefined) {
        const nextCursor = await cursorOfNow(deps, shopId)
        return { success: true, data: { changes: [], meta: { limit, nextCursor, hasMore: false } } }
      }
      const cursor = readFeedCursor('changes', shopId, after, TYPE_NAMES)
      if (cursor === undefined) throw invalidQuery('after', 'cursor.unknown')
      const { changes, nextCursor, hasMore } = await readChanges(deps, shopId, cursor, types, limit)
      return {
        success: true,
        data: { changes: changes.map(presentChange), meta: { limit, nextCursor, hasMore } },
      }
    },
  )
}

function presentChange({ type, id, data }: Change): WireChange {
  return data === undefined ? { type, id, op: 'delete' } : ({ type, id, op: 'upsert', data } as WireChange)
}
