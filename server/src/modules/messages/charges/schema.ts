import { Type } from 'typebox'
import { cursorFields, placeFields } from '../../../http/list-place.ts'

export const chargesQuery = Type.Object({
  ...placeFields,
  month: Type.String({
    pattern: '^20\\d{2}-(0[1-9]|1[0-2])$',
    description: '`2026-11`, in Vietnam’s time zone: the month in which the messages were sent',
  }),
  after: Type.Optional(
    Type.String({ 'x-object-id': true, description: 'The `meta.nextAfter` of the previous page' }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 1_000 }),
})

export const chargesAnswer = Type.Object({
  data: Type.Array(
    Type.Object({
      messageId: Type.String(),
      sessionId: Type.String({
        description:
          'The platform’s message ID, or the SMS provider’s if an SMS was delivered; empty if there is none',
      }),
      oaId: Type.String(),
      sentAt: Type.String(),
      status: Type.String({ enum: ['RECEIVED', 'ERROR'] }),
      charged: Type.Integer({
        description:
          'What the ledger has charged for the platform’s message, in đồng, including owed parts: what the platform’s bill has',
      }),
      smsCharged: Type.Integer({
        description:
          'What it has charged for the SMS that was delivered in its place, which is on the SMS provider’s bill',
      }),
      held: Type.Integer({ description: 'What is still held for it, until its receipt' }),
    }),
  ),
  meta: Type.Object({
    ...cursorFields,
    nextAfter: Type.Union([Type.String(), Type.Null()], {
      description: 'The next page’s `after`; null on the last page',
    }),
  }),
})
