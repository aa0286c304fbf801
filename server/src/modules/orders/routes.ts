import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { NotFound } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { csvFile, sendCsv } from '../../http/formats/csv.ts'
import { sendJson } from '../../http/formats/json.ts'
import { askedIds, cursorMeta, readPlace } from '../../http/list-place.ts'
import { readNear } from '../../http/reads/replica-reads.ts'
import { editorOf, showVersion } from '../../http/record-version.ts'
import { keptSaleOf } from '../../http/sale-age.ts'
import { pathId } from '../../http/validation/object-id.ts'
import { planCount } from '../../lib/lists/count-plan.ts'
import { totalMeta } from '../../lib/lists/total.ts'
import { idempotentCreate } from '../idempotency/hook.ts'
import { createPosOrder, previewPosOrder } from './create-pos-order.ts'
import { exportOrders } from './export-orders.ts'
import { readFilter } from './filter.ts'
import { posOrderBody, posPreview } from './pos-schema.ts'
import {
  presentOrderDetail,
  presentPreview,
  presentStatusCounts,
  presentSums,
  presentTimeline,
} from './present.ts'
import {
  exportOrdersQuery,
  listOrdersAnswer,
  listOrdersQuery,
  orderDetail,
  orderSums,
  sumOrdersQuery,
  timelineAnswer,
} from './schema.ts'
import { takenBy } from './seller.ts'
import { listOrders } from './sql/list.ts'
import { findOrder, listTimeline } from './sql/read.ts'
import { sumOrders } from './sql/sums.ts'

const tags = ['Orders']

/** E12 to E14, the timeline and export of G-40, the sums of G-122, and the preview of G-45. */
export function orderRoutes(app: App, deps: Deps): void {
  const { db, clock } = deps

  app.get(
    '/api/external/v1/orders',
    {
      // The names of sellers belong to no area.
      config: { reads: ['catalogue', 'customers', 'sales'], readsMoreWith: ['select'] },
      schema: {
        tags,
        operationId: 'listOrders',
        summary: 'List orders, newest first unless sorted otherwise',
        description:
          '`orderCountByStatus` and the counts in `meta` apply every filter except `status`; `meta.total` applies all. With `total=capped` or `none` the counts of a search or of a customer’s orders are those of the matches that were counted.',
        querystring: listOrdersQuery,
        response: { 200: listOrdersAnswer },
      },
    },
    async (request, reply) => {
      const { page, limit, total: mode, sortBy, sortType, select, ...asked } = request.query
      const place = readPlace(request.query, request.shop.id, `orders.${sortBy}.${sortType}`)
      const filter = { ...readFilter(asked), ids: place.ids }
      const query = {
        filter,
        plan: planCount(filter.start, filter.end, clock.now()),
        sort: { by: sortBy, direction: sortType },
        page: place,
        mode,
        withSeller: select === 'soldBy',
      }
      const { orders, found, fit, counts, matches, last } = await readNear(request, db, (near) =>
        listOrders(near, request.shop.id, query),
      )
      const statuses = presentStatusCounts(counts)
      const meta = {
        page,
        limit,
        ...totalMeta(mode, matches, limit),
        ...cursorMeta(place, found, last ?? undefined, fit),
        ...statuses.meta,
      }
      return sendJson(
        reply,
        `{"success":true,"data":{"orders":[${orders}],"orderCountByStatus":${JSON.stringify(statuses.orderCountByStatus)},"meta":${JSON.stringify(meta)}}}`,
      )
    },
  )

  app.get(
    '/api/external/v1/orders/:id',
    {
      config: { reads: ['catalogue', 'customers', 'sales'] },
      schema: {
        tags,
        operationId: 'getOrder',
        summary: 'Read an order',
        response: { 200: Type.Object({ success: Type.Boolean(), data: orderDetail }) },
      },
    },
    async (request, reply) => {
      const id = pathId(request.params)
      const row = await readNear(request, db, (near) => findOrder(near, request.shop.id, id))
      if (row === undefined) throw new NotFound('order')
      showVersion(reply, row.version)
      return { success: true, data: presentOrderDetail(row) }
    },
  )

  app.get(
    '/api/external/v1/orders/:id/timeline',
    {
      schema: {
        tags,
        operationId: 'getOrderTimeline',
        summary: 'Read an order’s events, oldest first',
        response: { 200: timelineAnswer },
      },
    },
    async (request) => {
      const found = await listTimeline(db, request.shop.id, pathId(request.params))
      if (found === undefined) throw new NotFound('order')
      return { success: true, ...presentTimeline(found) }
    },
  )

  app.get(
    '/api/external/v1/orders/sums',
    {
      config: { reads: ['catalogue', 'customers', 'sales'] },
      schema: {
        tags,
        operationId: 'sumOrders',
        summary: 'Add up the prices of the matching orders, and what is still owed for them',
        description: "The orders that match the list's filters. With more than 10000 there are no sums.",
        querystring: sumOrdersQuery,
        response: { 200: Type.Object({ success: Type.Boolean(), data: orderSums }) },
      },
    },
    async (request) => {
      const filter = { ...readFilter(request.query), ids: askedIds(request.query.ids) }
      const sums = await readNear(request, db, (near) => sumOrders(near, request.shop.id, filter))
      return { success: true, data: presentSums(sums) }
    },
  )

  app.get(
    '/api/external/v1/orders/export',
    {
      schema: {
        tags,
        operationId: 'exportOrders',
        summary: 'Export the matching orders as CSV, newest first',
        description:
          "All orders that match the list's filters. UTF-8 with a byte order mark, one line per order.",
        querystring: exportOrdersQuery,
        response: {
          200: csvFile,
        },
      },
    },
    async (request, reply) => {
      const { ids, labels, ...asked } = request.query
      const filter = { ...readFilter(asked), ids: askedIds(ids) }
      const chunks = exportOrders(deps.database.slow, request.shop.id, filter, labels)
      return sendCsv(reply, { name: 'orders', now: clock.now(), chunks })
    },
  )

  app.post(
    '/api/external/order/pos/create',
    {
      schema: {
        tags,
        operationId: 'createPosOrder',
        summary: 'Create a point-of-sale order',
        description:
          'Prices include VAT. Stock is reserved; a shop that denies overselling refuses with OUT_OF_STOCK.',
        body: posOrderBody,
        errors: ['AMOUNT_TOO_LARGE', 'TOTAL_MISMATCH', 'OUT_OF_STOCK'],
        takesSaleAge: true,
        response: { 200: Type.Object({ message: Type.String(), data: orderDetail }) },
      },
    },
    async (request) => {
      const shopId = request.shop.id
      const taken = await takenBy(db, shopId, editorOf(request), keptSaleOf(request, clock.now()))
      const order = await idempotentCreate(request, deps.ids, {
        find: (id) => findOrder(db, shopId, id),
        create: (id) => createPosOrder(deps, shopId, request.body, id, taken),
      })
      return { message: 'Order created', data: presentOrderDetail(order) }
    },
  )

  app.post(
    '/api/external/order/pos/preview',
    {
      schema: {
        tags,
        operationId: 'previewPosOrder',
        summary: 'Compute a point-of-sale order without saving it',
        description: 'Takes the same body as creation and refuses the same errors, except for stock.',
        body: posOrderBody,
        errors: ['AMOUNT_TOO_LARGE', 'TOTAL_MISMATCH'],
        response: { 200: Type.Object({ message: Type.String(), data: posPreview }) },
      },
    },
    async (request) => {
      const preview = await previewPosOrder(deps, request.shop.id, request.body)
      return { message: 'Order computed', data: presentPreview(preview) }
    },
  )
}
