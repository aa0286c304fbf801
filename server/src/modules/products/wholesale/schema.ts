import { Type } from 'typebox'
import { bodyId, ignoredShopId } from '../../../http/validation/fields.ts'
import { keptId, money } from '../schema.ts'

const closed = { additionalProperties: false }

export const replaceWholesalePricesBody = Type.Object(
  {
    wholesalePrices: Type.Array(
      Type.Object(
        {
          _id: keptId,
          skuId: bodyId('A SKU of this product'),
          minQuantity: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
          price: money('Unit price'),
        },
        closed,
      ),
      { maxItems: 1000, description: 'The tiers of one SKU in ascending order of `minQuantity`' },
    ),
    shopId: ignoredShopId,
  },
  closed,
)
