import { Type } from 'typebox'
import { ignoredShopId } from '../../../http/validation/fields.ts'
import { keptId, newSku, newVariant, skuImages } from '../schema.ts'

const closed = { additionalProperties: false }

export const replaceVariantsBody = Type.Object(
  {
    variants: Type.Array(newVariant, {
      maxItems: 20,
      description: '`id` of a group or option: its `_id` to keep it, or an id of your own',
    }),
    skus: Type.Array(
      Type.Object({ _id: keptId, ...newSku.properties, images: Type.Optional(skuImages) }, closed),
      { maxItems: 200 },
    ),
    shopId: ignoredShopId,
  },
  closed,
)
