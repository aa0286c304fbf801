import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { NotFound } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { listViewsAnswer, savedViewsAnswer, savedViewsBody } from './schema.ts'
import { listSavedViews, replaceSavedViews, type ViewsOwner } from './sql.ts'

const tags = ['Console']
const PATH = '/api/console/v1/saved-views'
const NAMES_SHOP = 'The header `x-shop-id` names the shop.'

/** What a member has saved of the console's lists in a shop. An operator who only visits the shop has no views there and saves none. */
export function savedViewRoutes(app: App, { db, clock }: Deps): void {
  app.get(
    PATH,
    {
      schema: {
        tags,
        operationId: 'listSavedViews',
        summary: 'Read the signed-in member’s saved views of all lists of a shop',
        description: NAMES_SHOP,
        errors: [401, 429, 'CROSS_SITE_REQUEST', 'SHOP_SUSPENDED'],
        response: { 200: savedViewsAnswer },
      },
    },
    async (request) => ({ data: await listSavedViews(db, ownerOf(request)) }),
  )

  app.put(
    PATH,
    {
      schema: {
        tags,
        operationId: 'replaceSavedViews',
        summary: 'Replace the signed-in member’s saved views of one list of a shop',
        description: NAMES_SHOP,
        body: savedViewsBody,
        errors: [401, 404, 429, 'CROSS_SITE_REQUEST', 'SHOP_SUSPENDED'],
        response: { 200: listViewsAnswer },
      },
    },
    async (request) => {
      const { list, views } = request.body
      const isMember = await replaceSavedViews(db, ownerOf(request), { list, views, now: clock.now() })
      if (!isMember) throw new NotFound('member')
      return { data: { list, views } }
    },
  )
}

function ownerOf({ shop, memberId }: FastifyRequest): ViewsOwner {
  return { shopId: shop.id, userId: memberId! }
}
