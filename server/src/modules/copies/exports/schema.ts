import { Type } from 'typebox'
import { ignoredShopId } from '../../../http/validation/fields.ts'
import { literals } from '../../../http/validation/validate.ts'
import { TYPE_NAMES } from '../record-types.ts'

export const createExportBody = Type.Object(
  { type: literals(TYPE_NAMES), shopId: ignoredShopId },
  { additionalProperties: false },
)

export const exportAnswer = Type.Object({
  success: Type.Boolean(),
  message: Type.String(),
  data: Type.Object({
    _id: Type.String(),
    id: Type.String(),
    type: literals(TYPE_NAMES),
    url: Type.String({ description: 'Where to read the records, as a path of this service' }),
    cursor: Type.String({
      description: 'The `after` from which to follow the feed of changes, taken before the export',
    }),
    createdAt: Type.String(),
    expiresAt: Type.String({ description: 'Until then `url` can be read, as often as needed' }),
  }),
})
