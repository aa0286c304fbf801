import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { NotFound } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { csvFile, sendCsv } from '../../http/csv.ts'
import { pathId } from '../../http/validation/object-id.ts'
import { changeOrderStatus } from './change-status.ts'
import { exportOrders } from './export-orders.ts'
import { readFilter } from './filter.ts'
import { presentOrderDetail, presentTimelineStep } from './present.ts'
import { recordPayment } from './record-payment.ts'
import { type OrderStatus, readStatus } from './rules.ts'
import { exportOrdersQuery, orderDetail, paymentBody, statusBody, timelineStep } from './schema.ts'
import { listTimeline } from './sql/change.ts'

const tags = ['Orders']
const answer = Type.Object({ success: Type.Boolean(), message: Type.String(), data: orderDetail })

/** G-40: what happens to an order after its creation; and the export. */
export function orderChangeRoutes(app: App, deps: Deps): void {
  const { db, clock } = deps

  app.patch(
    '/api/external/v1/orders/:id/status',
    {
      schema: {
        tags,
        operationId: 'updateOrderStatus',
        summary: 'Move an order to a status',
        description:
          'Statuses only move forward: pending, confirmed, processing, ready_to_ship, shipping, delivered, completed; steps may be skipped. `cancelled` is possible before delivered, otherwise 409 ORDER_NOT_CANCELLABLE; moving backwards or out of cancelled: 409 ORDER_STATUS_NOT_ALLOWED. Sending the current status changes nothing. Completion issues the reserved stock, cancelling releases it.',
        body: statusBody,
        errors: ['ORDER_NOT_CANCELLABLE', 'ORDER_STATUS_NOT_ALLOWED'],
        response: { 200: answer },
      },
    },
    async (request) => {
      const { status, reasonCancel } = request.body
      const order = await changeOrderStatus(deps, request.shop.id, pathId(request.params), {
        status: readStatus(status) as OrderStatus,
        ...(reasonCancel === undefined ? {} : { reasonCancel }),
      })
      return { success: true, message: 'Order updated', data: presentOrderDetail(order) }
    },
  )

  app.patch(
    '/api/external/v1/orders/:id/payment',
    {
      schema: {
        tags,
        operationId: 'setOrderPayment',
        summary: 'Set what an order has been paid',
        description:
          '`paidAmount` is the new total paid, so repeating the request adds nothing. The difference is recorded in `gatewayPayments`, negative for a refund. More than the price: 400 PAYMENT_ABOVE_PRICE. More than before on a cancelled order: 409 ORDER_CANCELLED.',
        body: paymentBody,
        errors: ['ORDER_CANCELLED', 'PAYMENT_ABOVE_PRICE'],
        response: { 200: answer },
      },
    },
    async (request) => {
      const { shopId: _, ...payment } = request.body
      const order = await recordPayment(deps, request.shop.id, pathId(request.params), payment)
      return { success: true, message: 'Order updated', data: presentOrderDetail(order) }
    },
  )

  app.get(
    '/api/external/v1/orders/:id/timeline',
    {
      schema: {
        tags,
        operationId: 'getOrderTimeline',
        summary: 'Read an order’s events, oldest first',
        response: { 200: Type.Object({ success: Type.Boolean(), data: Type.Array(timelineStep) }) },
      },
    },
    async (request) => {
      const steps = await listTimeline(db, request.shop.id, pathId(request.params))
      if (steps === undefined) throw new NotFound('order')
      return { success: true, data: steps.map(presentTimelineStep) }
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
      const chunks = exportOrders(deps.database.slow, request.shop.id, readFilter(request.query))
      return sendCsv(reply, { name: 'orders', now: clock.now(), chunks })
    },
  )
}
