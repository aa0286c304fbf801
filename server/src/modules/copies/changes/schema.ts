import { type TSchema, Type } from 'typebox'
import { literals } from '../../../http/validation/validate.ts'
import { RECORD_TYPES, TYPE_NAMES } from '../record-types.ts'

export const readChangesQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        'The `nextCursor` of an earlier response or of an export. Without it, no change is listed, and `nextCursor` stands for the present moment',
    }),
  ),
  types: Type.Optional(
    Type.String({
      maxLength: 200,
      description: `A list of ${TYPE_NAMES.join(', ')}. Default: all that the key may read`,
    }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: 500,
    default: 100,
    description: 'Maximum number of changes in the response',
  }),
})

const upsert = <Name extends string, Data extends TSchema>(type: Name, data: Data) =>
  Type.Object({
    type: Type.Literal(type),
    id: Type.String(),
    op: Type.Literal('upsert'),
    data,
  })

export const readChangesAnswer = Type.Object({
  success: Type.Boolean(),
  data: Type.Object({
    changes: Type.Array(
      Type.Union([
        upsert('product', RECORD_TYPES.product.record),
        upsert('stock', RECORD_TYPES.stock.record),
        upsert('order', RECORD_TYPES.order.record),
        upsert('customer', RECORD_TYPES.customer.record),
        upsert('news', RECORD_TYPES.news.record),
        Type.Object({ type: literals(TYPE_NAMES), id: Type.String(), op: Type.Literal('delete') }),
      ]),
      { description: 'The oldest change first; each record once, as it is now' },
    ),
    meta: Type.Object({
      limit: Type.Integer(),
      nextCursor: Type.String({ description: 'The `after` of the next call, also when nothing changed' }),
      hasMore: Type.Boolean({ description: 'Whether more can be read immediately' }),
    }),
  }),
})
