import { Type } from 'typebox'
import { ignoredShopId, money, name, newSku, newVariant } from './schema.ts'

const keptId = Type.Optional(
  Type.String({ minLength: 1, description: '`_id` of an existing SKU of this product, to keep it' }),
)
const closed = { additionalProperties: false }

export const replaceVariantsBody = Type.Object(
  {
    variants: Type.Array(newVariant, {
      maxItems: 20,
      description: '`id` of a group or option: its `_id` to keep it, or an id of your own',
    }),
    skus: Type.Array(Type.Object({ _id: keptId, ...newSku.properties }, closed), { maxItems: 200 }),
    shopId: ignoredShopId,
  },
  closed,
)

export const replaceWholesalePricesBody = Type.Object(
  {
    wholesalePrices: Type.Array(
      Type.Object(
        {
          _id: keptId,
          skuId: Type.String({ minLength: 1, description: 'A SKU of this product' }),
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

export const replaceSubItemsGroupsBody = Type.Object(
  {
    subItemsGroups: Type.Array(
      Type.Object(
        {
          _id: keptId,
          name,
          isRequired: Type.Optional(Type.Boolean({ default: false })),
          maxSelect: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 1 })),
          subItems: Type.Array(Type.Object({ _id: keptId, name, price: Type.Optional(money()) }, closed), {
            minItems: 1,
            maxItems: 200,
          }),
        },
        closed,
      ),
      { maxItems: 50 },
    ),
    shopId: ignoredShopId,
  },
  closed,
)
