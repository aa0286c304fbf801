import { Type } from 'typebox'
import { placeFields } from '../../../http/list-place.ts'
import { brokenRule, ignoredShopId, pageMeta, paging } from '../../../http/validation/fields.ts'
import { literals } from '../../../http/validation/validate.ts'
import { MAX_MESSAGES } from './rules.ts'

const MAX_PARAMS = 100

export const batchBody = Type.Object(
  {
    templateId: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The template’s `_id`, or its ID on the platform',
    }),
    messages: Type.Array(
      Type.Object(
        {
          receiverPhone: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 40,
              description: 'In any form; this or userUID, not both',
            }),
          ),
          userUID: Type.Optional(
            Type.String({ minLength: 1, maxLength: 64, description: 'The recipient’s id on the platform' }),
          ),
          params: Type.Record(Type.String(), Type.Union([Type.String({ maxLength: 2_000 }), Type.Number()]), {
            default: {},
            maxProperties: MAX_PARAMS,
            description: 'A value for each declared param that is not fixed; numbers are converted to text',
          }),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MAX_MESSAGES },
    ),
    scheduledAt: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'ISO 8601 date or time when sending starts, without an offset in UTC; at most 30 days ahead; immediately if it is missing or in the past',
      }),
    ),
    name: Type.String({ maxLength: 500, default: '' }),
    isTest: Type.Optional(
      Type.Boolean({
        description:
          'A test to oneself before a batch: exactly one message, sent and charged like any other, and marked as a test',
      }),
    ),
    shopId: ignoredShopId,
  },
  { additionalProperties: false },
)

const { templateId, messages, name, scheduledAt, shopId } = batchBody.properties

const ofEarlierBatches = {
  feesBefore: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'What earlier batches of the same list will cost, in đồng: deducted from the balance',
  }),
  messagesBefore: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'How many messages earlier batches of the same list will have: deducted from the quota',
  }),
}

export const previewBatchBody = Type.Object(
  {
    templateId,
    messages,
    scheduledAt,
    ...ofEarlierBatches,
    recipientsBefore: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 100_000,
        description:
          'The `recipients` of earlier batches of the same list, which count towards the recipients’ limits; list a recipient of two messages twice',
      }),
    ),
    shopId,
  },
  { additionalProperties: false },
)

export const batchesQuery = Type.Object({
  ...paging(20, 100),
  ...placeFields,
})

const instant = Type.Union([Type.String(), Type.Null()])

const batchRecord = {
  _id: Type.String(),
  id: Type.String(),
  name: Type.String(),
  templateId: Type.String({ description: 'The template’s `_id`' }),
  isTest: Type.Boolean({ description: 'A test to oneself' }),
  audienceId: Type.Union([Type.String(), Type.Null()], {
    description: 'The audience it was sent to, if any',
  }),
  status: literals(['WAITING', 'SENDING', 'DONE', 'CANCELLED'], {
    description: 'DONE and CANCELLED once no message is queued or in progress',
  }),
  accepted: Type.Integer(),
  refusedCount: Type.Integer(),
  progress: Type.Object({
    queued: Type.Integer(),
    sending: Type.Integer(),
    received: Type.Integer(),
    error: Type.Integer(),
    unknown: Type.Integer({ description: 'The platform gave no clear response; their outcome will follow' }),
    cancelled: Type.Integer(),
  }),
  otpExpired: Type.Integer({
    description:
      'How many of `error` ended as OTP_EXPIRED: their one-time passwords could not be sent within five minutes; nothing was charged',
  }),
  waiting: Type.Union([
    Type.Object({
      reason: literals(
        [
          'SCHEDULED',
          'NIGHT_WINDOW',
          'DAILY_QUOTA',
          'MONTHLY_QUOTA',
          'RATE_LIMIT',
          'PLATFORM_UNAVAILABLE',
          'PLATFORM_MONEY',
          'ACCOUNT_DISCONNECTED',
          'RETRY',
        ],
        {
          description:
            'PLATFORM_MONEY: the official account must top up its balance on the platform; ACCOUNT_DISCONNECTED: it must be connected again; one message is tried every ten minutes, and as soon as it is connected',
        },
      ),
      resumesAt: Type.String({ description: 'When sending resumes automatically' }),
    }),
    Type.Null(),
  ]),
  scheduledAt: instant,
  cancelledAt: instant,
  createdAt: Type.String(),
  updatedAt: Type.String(),
}

const refused = Type.Array(
  Type.Object({
    index: Type.Integer({ description: 'Index in `messages`, from 0' }),
    customerId: Type.Optional(Type.String({ description: 'Only for a batch to an audience' })),
    message: Type.String(),
    code: Type.Optional(Type.String({ description: 'Code of the refused rule, as in E5 and E6' })),
    keys: Type.Optional(Type.Array(Type.String(), { description: 'Paths of the invalid fields' })),
    ...brokenRule,
  }),
)

export const batchWithRefusals = Type.Object({ data: Type.Object({ ...batchRecord, refused }) })

const previewData = {
  accepted: Type.Integer(),
  refusedCount: Type.Integer(),
  fees: Type.Integer({ description: 'What the accepted messages cost, in đồng' }),
  balance: Type.Integer({ description: 'The wallet’s balance less `feesBefore`, in đồng' }),
  balanceAfter: Type.Integer({ description: 'The balance once their fees are held' }),
  recipients: Type.Array(
    Type.Object({
      index: Type.Integer({ description: 'Index in `messages`, from 0' }),
      recipient: Type.String({ description: 'The phone number as `84912345678`, or the UID' }),
    }),
    { description: 'Recipients of the accepted messages; one that appears twice gets two' },
  ),
  quota: Type.Union(
    [
      Type.Object({
        left: Type.Integer({
          description:
            'How many messages the platform takes of the official account on the day on which sending starts, less those that are queued before',
        }),
        waiting: Type.Integer({
          description: 'How many of the accepted messages exceed it; their fees stay held while they wait',
        }),
        resumesAt: Type.String({ description: 'When they are sent: the next midnight in Vietnam' }),
      }),
      Type.Null(),
    ],
    { description: 'The daily quota; null if the platform did not name it' },
  ),
  nightUntil: Type.Union([Type.String(), Type.Null()], {
    description:
      'Set if sending starts at night: until then, the messages wait if the platform does not accept their template at night',
  }),
  expiresAt: Type.Union([Type.String(), Type.Null()], {
    description:
      'Set for a template with a one-time password: messages that cannot be sent by then do not wait, but end as ERROR `OTP_EXPIRED`, and their fees are released',
  }),
  refused,
}

export const batchPreviewAnswer = Type.Object({ data: Type.Object(previewData) })

const toAudience = {
  audienceId: Type.String({ pattern: '^[0-9a-fA-F]{24}$', description: 'An audience’s `_id`' }),
  templateId,
  params: Type.Record(Type.String(), Type.String({ maxLength: 2_000 }), {
    default: {},
    maxProperties: MAX_PARAMS,
    description:
      'A text for each declared param that is not fixed, in which `{fullName}`, `{phone}`, `{birthday}`, `{lastOrderCode}`, `{lastOrderDate}`, `{lastOrderPrice}` and `{debt}` stand for what is known of the customer',
  }),
  after: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{24}$',
      description: 'The `next` of the previous batch, to send to the customers after it',
    }),
  ),
}
const next = Type.Union([Type.String(), Type.Null()], {
  description: 'Where the next batch to the audience continues; null at its end',
})

export const audienceBatchBody = Type.Object(
  { ...toAudience, name, scheduledAt, shopId },
  { additionalProperties: false },
)
export const previewAudienceBatchBody = Type.Object(
  { ...toAudience, scheduledAt, ...ofEarlierBatches, shopId },
  { additionalProperties: false },
)
export const audienceBatchAnswer = Type.Object({ data: Type.Object({ ...batchRecord, refused, next }) })
export const audiencePreviewAnswer = Type.Object({ data: Type.Object({ ...previewData, next }) })

export const batchAnswer = Type.Object({ data: Type.Object(batchRecord) })

export const batchesAnswer = Type.Object({
  data: Type.Array(Type.Object(batchRecord)),
  meta: pageMeta,
})
