import { Type } from 'typebox'
import { firstDay } from '../../http/validation/fields.ts'

export const profitQuery = Type.Object({
  from: firstDay,
  days: Type.Integer({ minimum: 1, maximum: 92, default: 30, description: 'Number of days' }),
})

const figures = {
  orders: Type.Integer({ description: 'Created in that time and not cancelled' }),
  sales: Type.Integer({
    description: 'The amount of their goods after all discounts, with VAT and without shipping fees, in đồng',
  }),
  lines: Type.Integer(),
  linesWithoutCost: Type.Integer({
    description: 'Of these, those whose SKU had no cost when they were sold',
  }),
  salesWithCost: Type.Integer({
    description:
      'The sales of the lines with a cost, and the fees kept on returns; a discount of the order is spread over its lines by amount',
  }),
  cost: Type.Integer({
    description:
      'What these lines cost: their pieces, and those that came back but were not restocked, at the average cost at the moment of the sale',
  }),
  profit: Type.Integer({ description: 'salesWithCost − cost: sales without a known cost are in neither' }),
}

export const profitAnswer = Type.Object({
  data: Type.Object({
    total: Type.Object(figures),
    days: Type.Array(
      Type.Object({
        day: Type.String({ description: 'A day in the shop’s time zone, `2026-11-21`; oldest first' }),
        ...figures,
      }),
    ),
  }),
})

/** The most products in one response. */
export const MAX_GOODS = 100

export const goodsWithoutCostAnswer = Type.Object({
  data: Type.Object({
    products: Type.Integer({ description: 'How many there are in all' }),
    goods: Type.Array(
      Type.Object({
        _id: Type.String(),
        id: Type.String(),
        name: Type.String(),
        image: Type.Union([Type.String(), Type.Null()]),
        lines: Type.Integer({ description: 'Lines of orders that were sold without a cost' }),
        quantity: Type.Integer({ description: 'Pieces in these lines' }),
        sales: Type.Integer({
          description:
            'The amount of these lines after their own discounts, before those of the orders, in đồng',
        }),
      }),
      { description: `Those with the most lines first, at most ${MAX_GOODS}` },
    ),
  }),
})
