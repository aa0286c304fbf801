import { Type } from 'typebox'

/** The most unfinished templates of a shop. */
export const MAX_UNFINISHED = 50

const head = {
  _id: Type.String(),
  id: Type.String(),
  __v: Type.Integer(),
  name: Type.String(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
}
const record = Type.Object({ ...head, content: Type.String() })

export const unfinishedBody = Type.Object(
  {
    name: Type.String({ maxLength: 500, description: 'What the list shows; may be empty' }),
    content: Type.String({
      minLength: 1,
      maxLength: 60_000,
      description:
        'What has been written so far, in any form that the caller chooses; the service keeps it unchanged',
    }),
  },
  { additionalProperties: false },
)
export const unfinishedAnswer = Type.Object({ data: record })
export const unfinishedListAnswer = Type.Object({
  data: Type.Array(Type.Object(head), { description: `At most ${MAX_UNFINISHED}` }),
})
