import { Type } from 'typebox'
import { labels } from '../../http/formats/csv.ts'
import { placeFields } from '../../http/list-place.ts'
import { pageMeta, paging } from '../../http/validation/fields.ts'
import { literals } from '../../http/validation/validate.ts'

export const walletRecord = Type.Object({
  balance: Type.Integer({ description: 'Available to spend, in đồng' }),
  held: Type.Integer({ description: 'Held for messages in progress, in đồng' }),
})

const lowBelow = Type.Union([Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
  description: '`wallet.low` is sent when the balance falls below this many đồng; null: never',
})

export const walletAlertBody = Type.Object({ lowBelow }, { additionalProperties: false })

export const walletAlert = Type.Object({ __v: Type.Integer(), lowBelow })

export const walletEntryRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  type: literals(
    [
      'top_up',
      'correction',
      'hold',
      'capture',
      'release',
      'late_capture',
      'sms_hold',
      'sms_capture',
      'sms_release',
    ],
    { description: '`sms_…`: for the SMS that was sent in place of the message' },
  ),
  amount: Type.Integer({ description: 'Change of the balance, in đồng' }),
  heldChange: Type.Integer({ description: 'Change of the held amount, in đồng' }),
  balanceAfter: Type.Integer(),
  heldAfter: Type.Integer(),
  owed: Type.Optional(
    Type.Integer({
      description:
        'Of a `late_capture`: the part of the fee that the balance did not cover, for a message that arrived after its fee was released',
    }),
  ),
  messageId: Type.Union([Type.String(), Type.Null()]),
  note: Type.String(),
  createdAt: Type.String(),
})

export const walletEntriesQuery = Type.Object({
  ...paging(20, 100),
  ...placeFields,
})

export const statementQuery = Type.Object({
  month: Type.String({
    pattern: '^20\\d{2}-(0[1-9]|1[0-2])$',
    description: '`2026-11`, in the shop’s time zone',
  }),
  labels,
})

export const walletEntriesAnswer = Type.Object({
  entries: Type.Array(walletEntryRecord),
  meta: pageMeta,
})
