import { Type } from 'typebox'
import { labels } from '../../http/formats/csv.ts'
import { cursorFields, exportedIds, placeFields } from '../../http/list-place.ts'
import { ignoredShopId, paging, queryId, sortType } from '../../http/validation/fields.ts'
import { literals } from '../../http/validation/validate.ts'

const MAX_PARAMS = 100
const templateId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The template’s `_id`, or its ID on the platform',
})
// No technical type allows a longer value; the rules check the template's own limits.
const text = Type.String({ maxLength: 2_000 })

export const sendToPhoneBody = Type.Object(
  {
    templateId,
    receiverPhone: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'In any form; Vietnamese unless it starts with + or 00',
    }),
    isSample: Type.Boolean({
      default: false,
      description:
        'Development mode of the platform: reaches only the official account’s administrators, is free of charge, works while the template is under review, and fills missing params with their sample values',
    }),
    params: Type.Record(Type.String(), Type.Union([text, Type.Number()]), {
      default: {},
      maxProperties: MAX_PARAMS,
      description: 'A value for each declared param that is not fixed; numbers are converted to text',
    }),
    shopId: ignoredShopId,
  },
  { additionalProperties: false },
)

export const sendToUidBody = Type.Object(
  {
    userUID: Type.String({ minLength: 1, maxLength: 64, description: 'The recipient’s id on the platform' }),
    templateId,
    templateData: Type.Record(Type.String(), text, {
      maxProperties: MAX_PARAMS,
      description: 'A text for each declared param that is not fixed',
    }),
    shopId: ignoredShopId,
  },
  { additionalProperties: false },
)

const messageId = Type.String({ description: 'The `_id` of the message in the history' })

export const sentToPhone = Type.Object({
  message: Type.String(),
  data: Type.Object({ message_id: messageId, status: literals(['RECEIVED']) }),
})

export const pendingToPhone = Type.Object({
  message: Type.String(),
  data: Type.Object({ message_id: messageId, status: literals(['SENDING', 'UNKNOWN']) }),
})

export const sentToUid = Type.Object({
  error: Type.Integer({ description: '0' }),
  message: Type.String(),
  data: Type.Object({ message_id: messageId }),
})

export const pendingToUid = Type.Object({
  error: Type.Integer({ description: '0: the message was accepted' }),
  message: Type.String(),
  data: Type.Object({ message_id: messageId, status: literals(['SENDING', 'UNKNOWN']) }),
})

const { page } = paging(20, 100, null)

const historyFilters = {
  phone: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'In any form' })),
  templateId: Type.Optional(templateId),
  batchId: Type.Optional(queryId('A batch that the messages were sent in')),
  status: Type.Optional(literals(['RECEIVED', 'ERROR'])),
  channel: Type.Optional(literals(['phone', 'uid'])),
  delivered: Type.Optional(
    Type.Boolean({ description: '`true`: RECEIVED with a receipt; `false`: all others' }),
  ),
  cancelled: Type.Optional(
    Type.Boolean({
      description: '`true`: cancelled with their batch before they were sent; `false`: all others',
    }),
  ),
  from: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Sent at or after this ISO 8601 date or time, compared in UTC',
    }),
  ),
  to: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Sent at or before this ISO 8601 date or time; a bare date is its midnight in UTC',
    }),
  ),
}

export const historyQuery = Type.Object({
  page,
  offset: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Records per page' }),
  ...placeFields,
  sortBy: literals(['sentAt'], { default: 'sentAt' }),
  sortType,
  ...historyFilters,
})

export const exportMessagesQuery = Type.Object({ ids: exportedIds, labels, ...historyFilters })

export const historyRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  phone: Type.String({ description: 'Empty for a message by UID' }),
  userUID: Type.Optional(Type.String({ description: 'Of a message by UID' })),
  templateId: Type.String({ description: 'The template’s ID on the platform' }),
  status: literals(['RECEIVED', 'ERROR']),
  reason: Type.String({
    description: 'Empty, or JSON text of an object with `error`, `code` and `params`; OTPs are masked',
  }),
  sessionId: Type.String({ description: 'The platform’s message ID; empty on error' }),
  deliveryTime: Type.Optional(
    Type.String({
      description:
        'Epoch milliseconds of a RECEIVED message: when it was sent or, once known, when it arrived',
    }),
  ),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})

export const historyAnswer = Type.Object({
  histories: Type.Array(historyRecord),
  meta: Type.Object({
    page: Type.Integer(),
    offset: Type.Integer(),
    total: Type.Integer(),
    ...cursorFields,
  }),
})

const late = Type.Boolean({
  description: 'Its receipt came after its fee was released; it was charged again',
})

export const messageEvent = Type.Object({
  kind: literals([
    'accepted',
    'sending',
    'sent',
    'rejected',
    'not_sent',
    'unknown',
    'resent',
    'status',
    'receipt',
    'released',
    'late',
    'put_off',
    'cancelled',
    'sms_queued',
    'sms_sent',
    'sms_unknown',
    'sms_put_off',
    'sms_delivered',
    'sms_failed',
  ]),
  createdAt: Type.String(),
  reason: Type.Optional(Type.String({ description: 'A human-readable sentence' })),
  code: Type.Optional(Type.String({ description: 'The platform’s error number' })),
  sessionId: Type.Optional(Type.String({ description: 'The platform’s message ID' })),
  deliveryTime: Type.Optional(Type.String({ description: 'Epoch milliseconds' })),
  attempt: Type.Optional(Type.Integer({ description: '2: the resent message' })),
  fee: Type.Optional(Type.Integer({ description: 'Held, in đồng' })),
  charged: Type.Optional(Type.Integer({ description: 'Charged, in đồng' })),
  owed: Type.Optional(
    Type.Integer({ description: 'Part of the fee that the balance did not cover, in đồng' }),
  ),
  parts: Type.Optional(Type.Integer({ description: 'How many SMS the text takes' })),
})

const message = {
  ...historyRecord.properties,
  status: literals(['QUEUED', 'SENDING', 'UNKNOWN', 'RECEIVED', 'ERROR']),
  late,
  params: Type.Record(Type.String(), Type.String(), {
    description:
      'The values that it was sent with, one-time passwords masked; empty once its recipient was erased',
  }),
  isTest: Type.Boolean({ description: 'Sent to oneself before a batch; charged like any other' }),
  deliveredBy: Type.Union([literals(['phone', 'uid', 'sms']), Type.Null()], {
    description:
      'For a RECEIVED message, how it was delivered: by the platform, to a `phone` or `uid`, or by an `sms` in its place; the charge follows from that',
  }),
  events: Type.Array(messageEvent, { description: 'Its events, oldest first' }),
}

export const messageAnswer = Type.Object({ data: Type.Object(message) })

export const operatorsMessageAnswer = Type.Object({
  data: Type.Object({
    ...message,
    platformAnswer: Type.Unknown({
      description: 'The platform’s last response, unchanged; null if there was none, or none worth keeping',
    }),
    unknownCause: Type.Union([Type.String(), Type.Null()], {
      description: 'What was observed of a call whose outcome is or was unknown',
    }),
    requestId: Type.Union([Type.String(), Type.Null()], {
      description: 'The request that created it: `x-request-id` of its response, `requestId` of log lines',
    }),
  }),
})
