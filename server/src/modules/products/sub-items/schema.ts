import { Type } from 'typebox'
import { ignoredShopId } from '../../../http/validation/fields.ts'
import { keptId, money, name } from '../schema.ts'

const closed = { additionalProperties: false }

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
