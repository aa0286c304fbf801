import { Type } from 'typebox'
import type { Deps } from '../../../deps.ts'
import type { App } from '../../../http/app-type.ts'
import { ndjsonFile, sendNdjson } from '../../../http/formats/ndjson.ts'
import { ALL_SHOPS, cursorMeta, readPlace } from '../../../http/list-place.ts'
import { pathId } from '../../../http/validation/object-id.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { operatorOriginOf } from '../../audit/origin.ts'
import { existingShop } from '../existing-shop.ts'
import { presentShop } from '../present.ts'
import { shopRecord } from '../schema.ts'
import { askDeletion, withdrawDeletion } from './ask-deletion.ts'
import { exportShop } from './export-shop.ts'
import { presentClosing } from './present.ts'
import { closedShopsAnswer, closedShopsQuery, deleteShopBody } from './schema.ts'
import { listClosings, updateExported } from './sql.ts'

const tags = ['Management']
const one = Type.Object({ data: Type.Object({ shop: shopRecord }) })

/** G-69: the operator deletes a shop. `forget` clears what this process caches about who may act for it. */
export function deletionRoutes(app: App, deps: Deps, forget: (shopId: ObjectId) => void): void {
  const { db, database, clock } = deps

  app.put(
    '/api/manage/v1/shops/:id/deletion',
    {
      schema: {
        tags,
        operationId: 'deleteShop',
        summary: 'Suspend a shop now and erase it later',
        description:
          'It is erased `SHOP_DELETION_DAYS` (30) days later, once its export has been read to the end; until then it can be withdrawn. Only a closing entry without names remains.',
        body: deleteShopBody,
        errors: ['SHOP_BEING_ERASED'],
        response: { 200: one },
      },
    },
    async (request) => {
      const shopId = pathId(request.params)
      const shop = await askDeletion(deps, shopId, request.body.name, operatorOriginOf(request))
      forget(shopId)
      return { data: { shop: presentShop(shop) } }
    },
  )

  app.delete(
    '/api/manage/v1/shops/:id/deletion',
    {
      schema: {
        tags,
        operationId: 'keepShop',
        summary: 'Withdraw the deletion of a shop, which stays suspended',
        errors: ['SHOP_BEING_ERASED'],
        response: { 200: one },
      },
    },
    async (request) => {
      const shop = await withdrawDeletion(deps, pathId(request.params), operatorOriginOf(request))
      return { data: { shop: presentShop(shop) } }
    },
  )

  app.get(
    '/api/manage/v1/shops/:id/export',
    {
      schema: {
        tags,
        operationId: 'exportShop',
        summary: 'Download all data of a shop as lines of JSON',
        description:
          'One `{"type", "record"}` per line: the shop; its products, stock, orders, customers and news as the lists show them; then the rows of all other tables, under the table’s name, without secrets. The last line is `{"type":"end","count":n}`: a file without it is incomplete. With `Accept-Encoding: gzip` it is compressed. Images are not included.',
        response: { 200: ndjsonFile },
      },
    },
    async (request, reply) => {
      const begunAt = clock.now()
      const shopId = await existingShop(db, request.params)
      let isComplete = false
      async function* lines() {
        yield* exportShop(database.slow, shopId)
        isComplete = true
      }
      reply.raw.once('finish', () => {
        if (!isComplete) return
        updateExported(db, shopId, { begunAt, now: clock.now() }).catch((error: unknown) => {
          request.log.warn({ err: error }, 'the export of a shop was not noted')
        })
      })
      return sendNdjson(request, reply, lines())
    },
  )

  app.get(
    '/api/manage/v1/closed-shops',
    {
      schema: {
        tags,
        operationId: 'listClosedShops',
        summary: 'List what is kept of erased shops, newest first',
        querystring: closedShopsQuery,
        response: { 200: closedShopsAnswer },
      },
    },
    async (request) => {
      const { page, limit } = request.query
      const place = readPlace(request.query, ALL_SHOPS, 'closedShops.erasingSince.desc')
      const { closings, hasMore, last } = await listClosings(db, place.ids, place)
      const meta = { page, limit, hasMore, ...cursorMeta(place, closings.length, last) }
      return { data: closings.map(presentClosing), meta }
    },
  )
}
