import { Type } from 'typebox'
import { literals } from '../../../http/validation/validate.ts'
import { who } from '../../../http/validation/who.ts'

const value = Type.Union([Type.String(), Type.Number(), Type.Null()])
const changes = Type.Record(Type.String(), Type.Array(value), {
  description:
    'Each changed field as `[before, after]`; `description` as `[null, null]`, `images` as their number',
})

export const historyAnswer = Type.Object({
  data: Type.Array(
    Type.Object({
      at: Type.String(),
      by: who('Null: not recorded'),
      kind: literals([
        'created',
        'updated',
        'retired',
        'skus_added',
        'skus_updated',
        'skus_removed',
        'wholesale_prices',
        'sub_items',
      ]),
      changes,
      skus: Type.Array(Type.Object({ name: Type.String(), changes }), { description: 'The first 20' }),
      skuCount: Type.Integer({ description: 'How many SKUs the entry is about' }),
    }),
    { description: 'The newest first, at most 200' },
  ),
})
