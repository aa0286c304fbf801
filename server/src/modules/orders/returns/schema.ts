import { Type } from 'typebox'
import { bodyId, ignoredShopId } from '../../../http/validation/fields.ts'
import { who } from '../../../http/validation/who.ts'
import { money } from '../schema.ts'

/** As many as an order has lines. */
const MOST_LINES = 1000

export const returnBody = Type.Object(
  {
    lines: Type.Array(
      Type.Object(
        {
          orderItemId: bodyId('The `_id` of a line of the order, each once'),
          quantity: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Pieces' }),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MOST_LINES },
    ),
    fee: Type.Optional(money('What the shop keeps of the price of these pieces. Default: 0')),
    refundAmount: Type.Optional(
      money('What the customer gets back now, at most what is paid above the new price. Default: 0'),
    ),
    paymentMethod: Type.Optional(
      Type.String({ maxLength: 50, description: "How it is refunded: any text. Default: the order's" }),
    ),
    restock: Type.Optional(
      Type.Boolean({ description: '`false`: the pieces are not in stock again. Default: true' }),
    ),
    warehouseId: Type.Optional(
      bodyId(
        "Where they are in stock again. Default: the shop's default warehouse. Not with `restock: false`",
      ),
    ),
    note: Type.Optional(Type.String({ maxLength: 1000 })),
    shopId: ignoredShopId,
  },
  { additionalProperties: false },
)

const orderReturn = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  orderId: Type.String(),
  amount: Type.Integer({ description: 'What the order costs less, in đồng: its lines less the fee' }),
  fee: Type.Integer(),
  refundAmount: Type.Integer(),
  paymentMethod: Type.String({ description: 'How it was refunded; empty without a refund' }),
  warehouseId: Type.Union([Type.String(), Type.Null()], {
    description: 'Where the pieces are in stock again; null: they are not',
  }),
  note: Type.String(),
  by: who('Null if it was not recorded, or if the id no longer exists'),
  createdAt: Type.String(),
  lines: Type.Array(
    Type.Object({
      orderItemId: Type.String(),
      quantity: Type.Integer(),
      amount: Type.Integer({ description: 'What these pieces cost, after all discounts, in đồng' }),
    }),
  ),
})

export const returnAnswer = Type.Object({
  success: Type.Boolean(),
  message: Type.String(),
  data: orderReturn,
})

export const returnsAnswer = Type.Object({
  success: Type.Boolean(),
  data: Type.Object({
    returnedAmount: Type.Integer({ description: 'The sum of all returns, in đồng' }),
    lines: Type.Array(
      Type.Object({
        orderItemId: Type.String(),
        name: Type.String(),
        quantity: Type.Integer({ description: 'Pieces sold' }),
        quantityLeft: Type.Integer({ description: 'Pieces that were not returned' }),
        amountLeft: Type.Integer({
          description:
            'What all of these cost, after all discounts; some of them cost their share of it, rounded down',
        }),
      }),
    ),
    returns: Type.Array(orderReturn, { description: 'Oldest first, at most 1000' }),
  }),
})
