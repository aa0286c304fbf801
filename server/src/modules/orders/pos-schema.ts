import { Type } from 'typebox'
import { bodyId, ignoredShopId } from '../../http/validation/fields.ts'
import { literals, vatPercent } from '../../http/validation/validate.ts'
import { money } from './schema.ts'

export const posOrderBody = Type.Object(
  {
    userId: Type.Optional(bodyId('A customer; default: a walk-in')),
    warehouseId: Type.Optional(
      bodyId('Where all pieces come from; default: the default warehouse, then the others that have some'),
    ),
    orderItems: Type.Array(
      Type.Object(
        {
          id: bodyId('A SKU, or a product with exactly one SKU'),
          quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
          price: Type.Optional(money("Unit price including VAT; default: the SKU's price")),
          discount: Type.Optional(money('Deducted from the line, at most down to 0')),
          vat: Type.Optional(vatPercent("Default: the product's")),
          name: Type.Optional(Type.String({ maxLength: 500 })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 200 },
    ),
    discount: Type.Optional(money('Deducted from the sum of the lines, at most down to 0')),
    paymentMethod: Type.Optional(
      Type.String({ maxLength: 50, description: 'Any text; blanks alone count as none' }),
    ),
    shippingFee: Type.Optional(money()),
    note: Type.Optional(Type.String({ maxLength: 5000 })),
    reference: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9._/-]{1,40}$',
        description: 'Another name that E12 finds the order by, such as that of a slip or a bank transfer',
      }),
    ),
    total: Type.Optional(money('Checked against the computed `price`')),
    paidAmount: Type.Optional(money('Kept as sent; default: `price` when `isPaid`, else 0')),
    isPaid: Type.Optional(
      Type.Boolean({ description: 'Kept as sent; default: whether `paidAmount` covers `price`' }),
    ),
    shopId: ignoredShopId,
  },
  { additionalProperties: false },
)

export const posPreview = Type.Object({
  originPrice: Type.Number(),
  discount: Type.Number(),
  shippingFee: Type.Number(),
  price: Type.Number(),
  untaxedPrice: Type.Number(),
  paidAmount: Type.Number(),
  isPaid: Type.Boolean(),
  paymentStatus: literals(['not_paid', 'partially_paid', 'paid']),
  orderItems: Type.Array(
    Type.Object({
      skuId: Type.String(),
      name: Type.String(),
      quantity: Type.Number(),
      price: Type.Number(),
      vat: Type.Number(),
      originPrice: Type.Number(),
      discount: Type.Number(),
      discountShare: Type.Number({ description: "The line's share of the order's discount" }),
      gross: Type.Number(),
      net: Type.Number(),
      tax: Type.Number(),
    }),
  ),
  vatRates: Type.Array(
    Type.Object({ vat: Type.Number(), gross: Type.Number(), net: Type.Number(), tax: Type.Number() }),
  ),
})
