import type { Deps } from '../../../deps.ts'
import type { App } from '../../../http/app-type.ts'
import { editOf, showVersion } from '../../../http/record-version.ts'
import { pathId } from '../../../http/validation/object-id.ts'
import { presentProduct } from '../present.ts'
import { replacedAnswer } from '../record-schema.ts'
import { shownWith } from '../shown-with.ts'
import { replaceSubItemsGroups } from './replace-sub-items.ts'
import { replaceSubItemsGroupsBody } from './schema.ts'

const tags = ['Products']
/** Enough for the most groups and items. */
const MOST_VALUES = 60_000

/** Sub-items groups, replaced as a whole (G-37). */
export function subItemRoutes(app: App, { db, ids, clock }: Deps): void {
  app.put(
    '/api/external/v1/products/:id/sub-items-groups',
    {
      config: { mostValues: MOST_VALUES },
      schema: {
        tags,
        operationId: 'replaceSubItemsGroups',
        summary: 'Replace the sub-items groups of a product',
        description:
          'A group or item sent with its `_id` is kept; the others are new. The order is that of the body.',
        body: replaceSubItemsGroupsBody,
        errors: ['RECORD_CHANGED'],
        response: { 200: replacedAnswer },
      },
    },
    async (request, reply) => {
      const shown = shownWith({ subItemsGroups: true })
      const row = await replaceSubItemsGroups(
        db,
        request.shop.id,
        pathId(request.params),
        request.body.subItemsGroups,
        { ids, now: clock.now(), edit: editOf(request), children: shown },
      )
      showVersion(reply, row.version)
      return { success: true, message: 'Sub-items groups replaced', data: presentProduct(row, shown) }
    },
  )
}
