import { Type } from 'typebox'
import { placeFields } from '../../http/list-place.ts'
import { ignoredShopId, pageMeta, paging } from '../../http/validation/fields.ts'
import { literals } from '../../http/validation/validate.ts'

const status = literals(['granted', 'withdrawn'], {
  description: '`withdrawn`: the customer wants no messages of tags 2 and 3',
})

export const recordConsentBody = Type.Object(
  {
    phone: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'In any form; this or userUID, not both' }),
    ),
    userUID: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'The recipient’s id on the platform' }),
    ),
    status,
    source: Type.String({
      minLength: 1,
      maxLength: 200,
      'x-not-blank': true,
      description: 'Where the customer said so, in your words: a form, the counter, a call, an import',
    }),
    at: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'ISO 8601: when the customer said so, within the last 10 years; now if it is missing',
      }),
    ),
    shopId: ignoredShopId,
  },
  { additionalProperties: false },
)

export const listConsentsQuery = Type.Object({
  ...paging(20, 100),
  ...placeFields,
  phone: Type.Optional(Type.String({ maxLength: 40, description: 'Only of this number, in any form' })),
  userUID: Type.Optional(Type.String({ maxLength: 64, description: 'Only of this UID' })),
})

const consentRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  phone: Type.String({ description: 'Empty for a UID' }),
  userUID: Type.String({ description: 'Empty for a phone number' }),
  status,
  source: Type.String(),
  at: Type.String({ description: 'When the customer said so' }),
  recordedBy: Type.Object({ type: literals(['key', 'member']), id: Type.String() }),
  createdAt: Type.String(),
})

export const consentAnswer = Type.Object({
  data: Type.Object({
    consent: consentRecord,
    cancelled: Type.Integer({ description: 'Queued messages to the recipient that were cancelled' }),
  }),
})

export const consentsAnswer = Type.Object({
  data: Type.Array(consentRecord),
  meta: pageMeta,
})
