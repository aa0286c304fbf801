import { Type } from 'typebox'
import { placeFields } from '../../../http/list-place.ts'
import { pageMeta, paging } from '../../../http/validation/fields.ts'

export const deleteShopBody = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The shop’s name, which confirms that it is this one',
    }),
  },
  { additionalProperties: false },
)

export const closedShopsQuery = Type.Object({
  ...paging(20, 100),
  ...placeFields,
})

export const closedShopsAnswer = Type.Object({
  data: Type.Array(
    Type.Object({
      _id: Type.String(),
      id: Type.String({ description: 'The id that the shop had' }),
      askedAt: Type.String(),
      erasingSince: Type.String(),
      erasedAt: Type.Union([Type.String(), Type.Null()], { description: 'null: it is still being erased' }),
      toppedUp: Type.Integer({ description: 'Sums of the ledger, in đồng' }),
      corrected: Type.Integer(),
      charged: Type.Integer({
        description: 'What messages cost: `toppedUp + corrected - charged = balance + held`',
      }),
      chargedMessages: Type.Integer(),
      owed: Type.Integer({ description: 'Late charges that the balance did not cover' }),
      balance: Type.Integer({ description: 'What was left of the shop’s money' }),
      held: Type.Integer(),
    }),
  ),
  meta: pageMeta,
})
