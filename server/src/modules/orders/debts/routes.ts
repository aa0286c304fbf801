import type { Deps } from '../../../deps.ts'
import { NotFound } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { editorOf } from '../../../http/record-version.ts'
import { pathId } from '../../../http/validation/object-id.ts'
import { toNfc } from '../../../lib/text/text.ts'
import { idempotentCreate } from '../../idempotency/hook.ts'
import { readPaymentMethod } from '../rules.ts'
import { payDebt } from './pay-debt.ts'
import { presentDebt, presentDebtPayment } from './present.ts'
import { debtAnswer, debtPaymentAnswer, payDebtBody } from './schema.ts'
import { findDebt, findDebtPayment } from './sql.ts'

const tags = ['Customers']
/** The most orders that a response names. */
const MOST_NAMED = 100

/** G-46: what a customer owes, and how it is paid. */
export function debtRoutes(app: App, deps: Deps): void {
  const { db, ids } = deps

  app.get(
    '/api/external/v1/customers/:id/debt',
    {
      schema: {
        tags,
        operationId: 'getCustomerDebt',
        summary: 'Read what a customer owes',
        description:
          'For orders that are neither cancelled nor fully paid, and from before the first order (`openingDebt`).',
        response: { 200: debtAnswer },
      },
    },
    async (request) => {
      const row = await findDebt(db, request.shop.id, pathId(request.params), MOST_NAMED)
      if (row === undefined) throw new NotFound('customer')
      return { data: presentDebt(row) }
    },
  )

  app.post(
    '/api/external/v1/customers/:id/payments',
    {
      schema: {
        tags,
        operationId: 'payCustomerDebt',
        summary: 'Record a payment of a customer’s debt',
        description:
          'Spread over the opening debt and then the unpaid orders, oldest first, up to 500 of them: all of it or nothing. More than the debt: 400 PAYMENT_ABOVE_DEBT; more than is due for these 500: 400 PAYMENT_ABOVE_ORDERS.',
        body: payDebtBody,
        errors: ['PAYMENT_ABOVE_DEBT', 'PAYMENT_ABOVE_ORDERS'],
        response: { 201: debtPaymentAnswer },
      },
    },
    async (request, reply) => {
      const { amount, paymentMethod, note = '' } = request.body
      const customerId = pathId(request.params)
      const asked = {
        amount,
        method: readPaymentMethod(paymentMethod),
        note: toNfc(note),
        by: editorOf(request),
      }
      const row = await idempotentCreate(request, ids, {
        find: (id) => findDebtPayment(db, request.shop.id, id),
        create: (id) => payDebt(deps, request.shop.id, customerId, { ...asked, id }),
      })
      return reply.code(201).send({ data: presentDebtPayment(row) })
    },
  )
}
