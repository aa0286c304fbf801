import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { NotFound } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { pathId } from '../../http/validation/object-id.ts'
import { planCount } from '../../lib/count-plan.ts'
import { totalMeta } from '../../lib/total.ts'
import { idempotentCreate } from '../idempotency/hook.ts'
import { createPosOrder, previewPosOrder } from './create-pos-order.ts'
import { readFilter } from './filter.ts'
import { presentListedOrder, presentOrderDetail, presentPreview } from './present.ts'
import { ORDER_STATUSES } from './rules.ts'
import { listOrdersAnswer, listOrdersQuery, orderDetail, posOrderBody, posPreview } from './schema.ts'
import { listOrders } from './sql/list.ts'
import { findOrder } from './sql/read.ts'

const tags = ['Orders']

/** E12 to E14, and the preview of G-45. */
export function orderRoutes(app: App, deps: Deps): void {
  const { db } = deps

  // E12: the counts are of all statuses, so `total` is read off them and holds on a page past the end.
  app.get(
    '/api/external/v1/orders',
    {
      schema: {
        tags,
        operationId: 'listOrders',
        summary: 'List orders, newest first',
        description:
          '`orderCountByStatus` and the counts in `meta` apply every filter except `status`; `meta.total` applies all. With `total=capped` or `none` a search’s are those of the matches that were counted.',
        querystring: listOrdersQuery,
        response: { 200: listOrdersAnswer },
      },
    },
    async (request) => {
      const { page, limit, total: mode, ...asked } = request.query
      const filter = readFilter(asked)
      const { orders, counts, isCut } = await listOrders(
        db,
        request.shop.id,
        filter,
        planCount(filter.start, filter.end),
        { limit, offset: (page - 1) * limit },
        mode,
      )
      const countOf = (each: string) => (Object.hasOwn(counts, each) ? counts[each]! : 0)
      const orderCountByStatus = Object.fromEntries(ORDER_STATUSES.map((each) => [each, countOf(each)]))
      const all = Object.values(orderCountByStatus).reduce((sum, n) => sum + n, 0)
      const total = filter.status === undefined ? all : countOf(filter.status)
      const meta = {
        page,
        limit,
        ...totalMeta(mode, { n: total, isCut }, limit),
        pending: countOf('pending'),
        confirmed: countOf('confirmed'),
        readyToShip: countOf('ready_to_ship'),
        shipping: countOf('shipping'),
        delivered: countOf('delivered'),
        cancelled: countOf('cancelled'),
      }
      return { success: true, data: { orders: orders.map(presentListedOrder), orderCountByStatus, meta } }
    },
  )

  app.get(
    '/api/external/v1/orders/:id',
    {
      schema: {
        tags,
        operationId: 'getOrder',
        summary: 'Read an order',
        response: { 200: Type.Object({ success: Type.Boolean(), data: orderDetail }) },
      },
    },
    async (request) => {
      const id = pathId(request.params)
      const row = await findOrder(db, request.shop.id, id)
      if (row === undefined) throw new NotFound('order')
      return { success: true, data: presentOrderDetail(row) }
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
        response: { 200: Type.Object({ message: Type.String(), data: orderDetail }) },
      },
    },
    async (request) => {
      const order = await idempotentCreate(request, deps.ids, {
        find: (id) => findOrder(db, request.shop.id, id),
        create: (id) => createPosOrder(deps, request.shop.id, request.body, id),
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
