import { Type } from 'typebox'

export const replayBody = Type.Object(
  { since: Type.String({ minLength: 1, description: 'ISO 8601; within the last 30 days' }) },
  { additionalProperties: false },
)

export const replayAnswer = Type.Object({
  data: Type.Object({
    id: Type.String({ description: 'The endpoint' }),
    replayingSince: Type.String({
      description: 'The endpoint’s record has it until all earlier events are queued',
    }),
  }),
})
