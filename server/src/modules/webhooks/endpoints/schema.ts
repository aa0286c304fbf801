import { Type } from 'typebox'
import { placeFields } from '../../../http/list-place.ts'
import { pageMeta, paging } from '../../../http/validation/fields.ts'
import { literals } from '../../../http/validation/validate.ts'
import { EVENT_TYPES } from '../outbox/event-types.ts'

const url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'http or https, on the public internet. Redirects are not followed',
})
const events = Type.Array(literals([...EVENT_TYPES, '*']), {
  minItems: 1,
  maxItems: 50,
  description: 'Event types to receive; `*` for all, including future ones',
})

export const endpointBody = Type.Object({ url, events }, { additionalProperties: false })

export const endpointPatch = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    enabled: Type.Optional(
      Type.Boolean({ description: 'false: nothing is delivered; events are kept and can be recovered' }),
    ),
  },
  { additionalProperties: false },
)

const instantOrNull = Type.Union([Type.String(), Type.Null()])

const endpoint = {
  _id: Type.String(),
  id: Type.String(),
  __v: Type.Integer(),
  url: Type.String({ description: 'Without its query for a key or member that may not change endpoints' }),
  events: Type.Array(Type.String()),
  enabled: Type.Boolean(),
  disabledAt: instantOrNull,
  disabledReason: Type.Union([literals(['requested', 'failing', 'gone']), Type.Null()], {
    description:
      'requested: by `enabled`; failing: no delivery succeeded for 5 days; gone: it responded with 410',
  }),
  failingSince: instantOrNull,
  replayingSince: Type.Union([Type.String(), Type.Null()], {
    description: 'While `replay-missing` queues earlier events: the time from which',
  }),
  createdAt: Type.String(),
  updatedAt: Type.String(),
}

export const endpointAnswer = Type.Object({ data: Type.Object(endpoint) })
export const endpointsAnswer = Type.Object({ data: Type.Array(Type.Object(endpoint)) })

const secret = Type.String({ description: '`whsec_…`, shown only here' })
export const createdAnswer = Type.Object({ data: Type.Object({ ...endpoint, secret }) })
export const rotatedAnswer = Type.Object({
  data: Type.Object({
    ...endpoint,
    secret,
    oldSecretUntil: Type.String({ description: 'Until then, each delivery is signed with both secrets' }),
  }),
})

export const attemptsQuery = Type.Object({
  ...paging(20, 100, 10_000),
  cursor: placeFields.cursor,
})

export const attemptsAnswer = Type.Object({
  data: Type.Array(
    Type.Object({
      eventId: Type.String({ description: 'The `webhook-id` of the request' }),
      type: Type.String(),
      number: Type.Integer({ description: 'From 1, for this event' }),
      status: Type.Union([Type.Integer(), Type.Null()], { description: 'null when it did not respond' }),
      durationMs: Type.Integer(),
      answer: Type.String({ description: 'The first 500 characters' }),
      error: Type.Union([Type.String(), Type.Null()], { description: 'Why it did not respond' }),
      createdAt: Type.String(),
    }),
  ),
  meta: pageMeta,
})

export const resendBody = Type.Object(
  { eventId: Type.String({ minLength: 1, maxLength: 64, description: 'As listed in the attempts' }) },
  { additionalProperties: false },
)
export const eventAnswer = Type.Object({ data: Type.Object({ eventId: Type.String() }) })

export const recoverBody = Type.Object(
  { since: Type.String({ minLength: 1, description: 'ISO 8601; events that occurred since then' }) },
  { additionalProperties: false },
)
export const recoverAnswer = Type.Object({
  data: Type.Object({ queued: Type.Integer({ description: 'Number of events queued' }) }),
})
