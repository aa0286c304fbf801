import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { pathId } from '../../http/validation/object-id.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { toNfc } from '../../lib/text/text.ts'
import { originOf } from '../audit/origin.ts'
import { presentShop } from './present.ts'
import { shopRecord, suspendShopBody } from './schema.ts'
import { suspendShop } from './suspend-shop.ts'

const tags = ['Management']
const one = Type.Object({ data: Type.Object({ shop: shopRecord }) })

/**
 * G-69: the operator suspends and resumes a shop. `forget` clears what this process caches about who may act for it.
 */
export function suspensionRoutes(app: App, deps: Deps, forget: (shopId: ObjectId) => void): void {
  app.put(
    '/api/manage/v1/shops/:id/suspension',
    {
      schema: {
        tags,
        operationId: 'suspendShop',
        summary: 'Suspend a shop',
        description:
          'Its keys and sessions get 403 `SHOP_SUSPENDED`, in other processes within 5 s. Queued messages and webhooks wait; receipts are still accepted.',
        body: suspendShopBody,
        response: { 200: one },
      },
    },
    async (request) => {
      const shopId = pathId(request.params)
      const reason = toNfc(request.body.reason ?? '').trim()
      const shop = await suspendShop(deps, shopId, reason, originOf(request))
      forget(shopId)
      return { data: { shop: presentShop(shop) } }
    },
  )

  app.delete(
    '/api/manage/v1/shops/:id/suspension',
    {
      schema: {
        tags,
        operationId: 'resumeShop',
        summary: 'Resume a suspended shop',
        description: 'Waiting messages and webhooks are sent now.',
        errors: ['SHOP_IN_DELETION'],
        response: { 200: one },
      },
    },
    async (request) => {
      const shopId = pathId(request.params)
      const shop = await suspendShop(deps, shopId, undefined, originOf(request))
      forget(shopId)
      return { data: { shop: presentShop(shop) } }
    },
  )
}
