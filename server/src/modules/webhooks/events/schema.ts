import { Type } from 'typebox'
import { literals } from '../../../http/validation/validate.ts'
import { ALL_EVENT_TYPES, EVENT_TYPES, eventSequence } from '../outbox/event-types.ts'

export const readEventsQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'The `nextCursor` of an earlier response. Without it, the oldest events come first',
    }),
  ),
  types: Type.Optional(
    Type.String({ maxLength: 500, description: `A list of ${EVENT_TYPES.join(', ')}. Default: all` }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: 500,
    default: 100,
    description: 'Maximum number of events in the response',
  }),
})

const instantOrNull = Type.Union([Type.String(), Type.Null()])

const lastAttempt = Type.Object({
  status: Type.Union([Type.Integer(), Type.Null()], { description: 'null when it did not respond' }),
  answer: Type.String({ description: 'The first 100 characters' }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why it did not respond' }),
  durationMs: Type.Integer(),
  createdAt: Type.String(),
})

const delivery = Type.Object({
  endpointId: Type.String(),
  status: literals(['pending', 'sending', 'delivered', 'failed'], {
    description: 'failed: no longer retried, or the endpoint was disabled',
  }),
  attempts: Type.Integer(),
  nextAttemptAt: instantOrNull,
  lastAttempt: Type.Union([lastAttempt, Type.Null()]),
})

export const readEventsAnswer = Type.Object({
  success: Type.Boolean(),
  data: Type.Object({
    events: Type.Array(
      Type.Object({
        id: Type.String({ description: 'The `webhook-id` of its deliveries' }),
        type: literals(ALL_EVENT_TYPES),
        data: Type.Record(Type.String(), Type.Unknown(), { description: 'By type, as in Webhooks' }),
        createdAt: Type.String(),
        sequence: eventSequence,
        deliveries: Type.Array(delivery, {
          description: 'One for each endpoint that gets it, once it has been handed out',
        }),
      }),
      {
        description:
          'In an order in which a cursor skips none: of events of one record, `sequence` tells which is later',
      },
    ),
    meta: Type.Object({
      limit: Type.Integer(),
      nextCursor: Type.String({ description: 'The `after` of the next call, also when there was no event' }),
      hasMore: Type.Boolean({ description: 'Whether more can be read immediately' }),
    }),
  }),
})
