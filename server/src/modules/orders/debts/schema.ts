import { Type } from 'typebox'
import { ignoredShopId } from '../../../http/validation/fields.ts'
import { MAX_MONEY } from '../schema.ts'

export const debtAnswer = Type.Object({
  data: Type.Object({
    debt: Type.Integer({ description: 'What is due for all unpaid orders and of the opening debt, in đồng' }),
    opening: Type.Union(
      [
        Type.Object({
          amount: Type.Integer(),
          paidAmount: Type.Integer(),
          left: Type.Integer({ description: 'What is due: amount − paidAmount' }),
        }),
        Type.Null(),
      ],
      {
        description:
          'What the customer owed before the first order here; null for nothing. Paid before the orders',
      },
    ),
    orders: Type.Integer({ description: 'How many orders are not fully paid' }),
    oldest: Type.Array(
      Type.Object({
        _id: Type.String(),
        id: Type.String(),
        code: Type.String(),
        price: Type.Integer(),
        paidAmount: Type.Integer(),
        left: Type.Integer({ description: 'What is due: price − paidAmount, less what was returned' }),
        createdAt: Type.String(),
      }),
      { description: 'The first of these, oldest first: the order in which a payment pays them' },
    ),
  }),
})

export const payDebtBody = Type.Object(
  {
    amount: Type.Integer({ minimum: 1, maximum: MAX_MONEY, description: 'What the customer gives, in đồng' }),
    paymentMethod: Type.String({ minLength: 1, maxLength: 50, 'x-not-blank': true, description: 'Any text' }),
    note: Type.Optional(Type.String({ maxLength: 5000 })),
    shopId: ignoredShopId,
  },
  { additionalProperties: false },
)

export const debtPaymentAnswer = Type.Object({
  data: Type.Object({
    _id: Type.String(),
    id: Type.String(),
    amount: Type.Integer(),
    paymentMethod: Type.String(),
    note: Type.String(),
    createdAt: Type.String(),
    opening: Type.Integer({ description: 'What the opening debt got' }),
    payments: Type.Array(
      Type.Object({ orderId: Type.String(), code: Type.String(), amount: Type.Integer() }),
      { description: 'What each order got, the oldest first; `opening` and these add up to `amount`' },
    ),
  }),
})
