import { Type } from 'typebox'
import { firstDay } from '../../http/validation/fields.ts'
import { who } from '../../http/validation/who.ts'

export const overviewQuery = Type.Object({
  from: firstDay,
  days: Type.Integer({ minimum: 1, maximum: 92, default: 30, description: 'Number of days' }),
})

const sales = {
  orders: Type.Integer({ description: 'Created in that time and not cancelled' }),
  revenue: Type.Integer({ description: 'The sum of their prices, in đồng' }),
}

const figures = {
  ...sales,
  accepted: Type.Integer({ description: 'Messages sent in that time that the platform accepted' }),
  delivered: Type.Integer({ description: 'Of these, those with a receipt' }),
  failed: Type.Integer(),
  spend: Type.Integer({ description: 'Fees of the accepted messages, in đồng' }),
}

const instant = (description: string) => Type.String({ description })

const goods = {
  _id: Type.String(),
  id: Type.String(),
  name: Type.String(),
  image: Type.Union([Type.String(), Type.Null()], { description: 'The address of its first image' }),
}

const firstSteps = Type.Object(
  {
    products: Type.Boolean({ description: 'It has a product' }),
    stock: Type.Boolean({ description: 'An inventory entry was booked' }),
    account: Type.Boolean({ description: 'An official account is connected' }),
    template: Type.Boolean({ description: 'A template is approved' }),
    money: Type.Boolean({ description: 'The wallet was topped up' }),
    sale: Type.Boolean({ description: 'It has an order' }),
    message: Type.Boolean({ description: 'A message was sent or failed' }),
  },
  { description: 'Which of a new shop’s first steps are done' },
)

export const overviewAnswer = Type.Object({
  data: Type.Object({
    days: Type.Array(
      Type.Object({
        day: Type.String({ description: 'A day in the shop’s time zone, `2026-11-21`; oldest first' }),
        ...figures,
      }),
    ),
    total: Type.Object(figures, { description: 'The sums of all days' }),
    before: Type.Array(
      Type.Object({
        from: instant('The first moment of the earlier period'),
        until: instant('Its last moment'),
        ...sales,
      }),
      {
        description:
          'Earlier sales to compare with: for one day, those of the day before and of the same weekday a week before; for several days, those of as many days before. If the period is still running, only up to the same time',
      },
    ),
    hours: Type.Array(
      Type.Object({
        hour: Type.Integer({ description: '0 to 23, in the shop’s time zone' }),
        ...sales,
        ordersBefore: Type.Integer({ description: 'In that hour of the day before' }),
        revenueBefore: Type.Integer(),
      }),
      { description: 'Each hour of the last day that has begun' },
    ),
    sellers: Type.Array(
      Type.Object({
        soldBy: Type.Union([Type.String(), Type.Null()], {
          description: 'The id of the member or key, for `soldBy` of the order list; null: not recorded',
        }),
        by: who('Null if it was not recorded, or if the id no longer exists'),
        ...sales,
      }),
      { description: 'How much each seller sold in the period, highest first' },
    ),
    ordersToHandle: Type.Object(
      {
        pending: Type.Integer(),
        confirmed: Type.Integer(),
        processing: Type.Integer(),
        readyToShip: Type.Integer(),
        shipping: Type.Integer(),
      },
      { description: 'All orders in these statuses, whenever created' },
    ),
    owed: Type.Object(
      {
        orders: Type.Integer({ description: 'Counted up to 10,000' }),
        isCut: Type.Boolean({ description: 'There are more' }),
        amount: Type.Union([Type.Integer(), Type.Null()], {
          description: 'What is still to be paid for them, in đồng; null if there are more',
        }),
      },
      { description: 'Orders that are neither cancelled nor paid, whenever created' },
    ),
    lowStock: Type.Object({
      atMost: Type.Integer({
        description: 'A product with this many pieces available, or fewer, is low on stock',
      }),
      products: Type.Integer({ description: 'Counted up to 10,000' }),
      isCut: Type.Boolean({ description: 'There are more' }),
      first: Type.Array(Type.Object({ ...goods, available: Type.Integer() }), {
        description: 'Five of them, fewest pieces first',
      }),
    }),
    topGoods: Type.Object({
      since: Type.Union([Type.String(), Type.Null()], {
        description: 'When the oldest order that was read was created',
      }),
      orders: Type.Integer({ description: 'How many were read: the newest 500 of the period' }),
      isCut: Type.Boolean({ description: 'The period may have more' }),
      goods: Type.Array(
        Type.Object({
          ...goods,
          quantity: Type.Integer({ description: 'Pieces in these orders' }),
          orders: Type.Integer({ description: 'How many of the orders contain it' }),
        }),
        { description: 'The five products with the most pieces' },
      ),
    }),
    templates: Type.Object({ waiting: Type.Integer(), rejected: Type.Integer() }),
    wallet: Type.Object({
      balance: Type.Integer(),
      held: Type.Integer(),
      lowBelow: Type.Union([Type.Integer(), Type.Null()]),
      lastsDays: Type.Union([Type.Integer(), Type.Null()], {
        description:
          'Days that the balance lasts at the rate of the seven days before today; null: nothing was spent',
      }),
    }),
    disabledWebhooks: Type.Integer({ description: 'Endpoints that were disabled after failures' }),
    pendingOrders: Type.Integer({
      description: 'Orders in `pending`, which wait for the shop’s confirmation',
    }),
    firstSteps,
  }),
})
