import { Type } from 'typebox'

export const overviewQuery = Type.Object({
  days: Type.Integer({
    minimum: 1,
    maximum: 92,
    default: 30,
    description: 'Number of days, including today',
  }),
})

export const overviewAnswer = Type.Object({
  data: Type.Object({
    days: Type.Array(
      Type.Object({
        day: Type.String({ description: 'A day in the shop’s time zone, `2026-11-21`; oldest first' }),
        orders: Type.Integer({ description: 'Created on that day and not cancelled' }),
        revenue: Type.Integer({ description: 'The sum of their prices, in đồng' }),
        accepted: Type.Integer({ description: 'Messages of that day that the platform accepted' }),
        delivered: Type.Integer({ description: 'Of these, those with a receipt' }),
        failed: Type.Integer(),
        spend: Type.Integer({ description: 'Fees of the accepted messages, in đồng' }),
      }),
    ),
    templates: Type.Object({ waiting: Type.Integer(), rejected: Type.Integer() }),
    wallet: Type.Object({
      balance: Type.Integer(),
      held: Type.Integer(),
      lowBelow: Type.Union([Type.Integer(), Type.Null()]),
    }),
    disabledWebhooks: Type.Integer({ description: 'Endpoints that were disabled after failures' }),
    pendingOrders: Type.Integer({
      description: 'Orders in `pending`, which wait for the shop’s confirmation',
    }),
    firstSteps: Type.Object(
      {
        products: Type.Boolean({ description: 'It has a product' }),
        stock: Type.Boolean({ description: 'An inventory entry was booked' }),
        account: Type.Boolean({ description: 'An official account is connected' }),
        template: Type.Boolean({ description: 'A template is approved' }),
        money: Type.Boolean({ description: 'The wallet was topped up' }),
        sale: Type.Boolean({ description: 'It has an order' }),
      },
      { description: 'Which of a new shop’s first steps are done' },
    ),
  }),
})
