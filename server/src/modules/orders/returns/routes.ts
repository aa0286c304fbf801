import type { Deps } from '../../../deps.ts'
import { NotFound } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { editOf } from '../../../http/record-version.ts'
import { pathId } from '../../../http/validation/object-id.ts'
import { idempotentCreate } from '../../idempotency/hook.ts'
import { presentReturn, presentReturns } from './present.ts'
import { returnGoods } from './return-goods.ts'
import { MOST_RETURNS } from './rules.ts'
import { returnAnswer, returnBody, returnsAnswer } from './schema.ts'
import { findReturn, findReturns } from './sql.ts'

const tags = ['Orders']

/** G-123: goods of an order that the customer brings back. */
export function returnRoutes(app: App, deps: Deps): void {
  const { db, ids } = deps

  app.get(
    '/api/external/v1/orders/:id/returns',
    {
      schema: {
        tags,
        operationId: 'getOrderReturns',
        summary: 'Read what was returned of an order, and what can still be',
        response: { 200: returnsAnswer },
      },
    },
    async (request) => {
      const order = await findReturns(db, request.shop.id, pathId(request.params), MOST_RETURNS)
      if (order === undefined) throw new NotFound('order')
      return { success: true, data: presentReturns(order) }
    },
  )

  app.post(
    '/api/external/v1/orders/:id/returns',
    {
      schema: {
        tags,
        operationId: 'returnOrderGoods',
        summary: 'Book goods of a completed order that the customer brings back',
        description:
          'All lines or none. The order costs less by what the pieces cost after all discounts, less `fee`; so do the sales of the day on which it was sold. The pieces are in stock again, unless `restock` is false. `refundAmount` is recorded as a refund in `gatewayPayments`.',
        body: returnBody,
        errors: [
          'ORDER_NOT_RETURNABLE',
          'TOO_MANY_RETURNS',
          'RETURN_ABOVE_SOLD',
          'REFUND_ABOVE_CREDIT',
          'RECORD_CHANGED',
        ],
        response: { 201: returnAnswer },
      },
    },
    async (request, reply) => {
      const { shopId: _, ...asked } = request.body
      const shopId = request.shop.id
      const orderId = pathId(request.params)
      const edit = editOf(request)
      const row = await idempotentCreate(request, ids, {
        find: (id) => findReturn(db, shopId, id),
        create: (id) => returnGoods(deps, shopId, orderId, asked, id, edit),
      })
      return reply.code(201).send({ success: true, message: 'Goods returned', data: presentReturn(row) })
    },
  )
}
