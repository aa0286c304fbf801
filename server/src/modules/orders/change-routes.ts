import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { editOf, showVersion } from '../../http/record-version.ts'
import { keptSaleOf } from '../../http/sale-age.ts'
import { pathId } from '../../http/validation/object-id.ts'
import { changeOrderStatus } from './change-status.ts'
import { presentOrderDetail } from './present.ts'
import { recordPayment } from './record-payment.ts'
import { type OrderStatus, readStatus } from './rules.ts'
import { orderDetail, paymentBody, statusBody } from './schema.ts'
import { takenBy } from './seller.ts'

const tags = ['Orders']
const answer = Type.Object({ success: Type.Boolean(), message: Type.String(), data: orderDetail })

/** The changes of an order after its creation (G-40). */
export function orderChangeRoutes(app: App, deps: Deps): void {
  app.patch(
    '/api/external/v1/orders/:id/status',
    {
      schema: {
        tags,
        operationId: 'updateOrderStatus',
        summary: 'Move an order to a status',
        description:
          'Statuses only move forward: pending, confirmed, processing, ready_to_ship, shipping, delivered, completed; steps may be skipped. `cancelled` is possible before delivered, otherwise 409 ORDER_NOT_CANCELLABLE; moving backwards or out of cancelled: 409 ORDER_STATUS_NOT_ALLOWED. Sending the current status changes nothing. Completion issues the reserved stock; cancelling frees it.',
        body: statusBody,
        errors: ['ORDER_NOT_CANCELLABLE', 'ORDER_STATUS_NOT_ALLOWED', 'RECORD_CHANGED'],
        response: { 200: answer },
      },
    },
    async (request, reply) => {
      const { status, reasonCancel } = request.body
      const asked = {
        status: readStatus(status) as OrderStatus,
        ...(reasonCancel === undefined ? {} : { reasonCancel }),
      }
      const id = pathId(request.params)
      const edit = editOf(request)
      const order = await changeOrderStatus(deps, request.shop.id, id, asked, edit, request.idempotency)
      showVersion(reply, order.version)
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
          '`paidAmount` is the new total paid, so repeating the request adds nothing. The difference is recorded in `gatewayPayments`, negative for a refund. Another `paymentMethod` with the same `paidAmount` moves what was paid by the old method to the new one, as a refund and a payment. More than the price: 400 PAYMENT_ABOVE_PRICE. More than before on a cancelled order: 409 ORDER_CANCELLED.',
        body: paymentBody,
        errors: ['ORDER_CANCELLED', 'PAYMENT_ABOVE_PRICE', 'RECORD_CHANGED'],
        takesSaleAge: true,
        response: { 200: answer },
      },
    },
    async (request, reply) => {
      const { shopId: _, ...payment } = request.body
      const id = pathId(request.params)
      const shopId = request.shop.id
      const edit = editOf(request)
      const taken = await takenBy(deps.db, shopId, edit.by, keptSaleOf(request, deps.clock.now()))
      const order = await recordPayment(deps, shopId, id, payment, taken, edit, request.idempotency)
      showVersion(reply, order.version)
      return { success: true, message: 'Order updated', data: presentOrderDetail(order) }
    },
  )
}
