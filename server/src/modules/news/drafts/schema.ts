import { Type } from 'typebox'
import { foundProblem } from '../../../http/validation/fields.ts'
import { literals } from '../../../http/validation/validate.ts'

/** The most drafts of a shop. */
export const MAX_DRAFTS = 50

const status = literals(['active', 'inactive'])
const publishAt = Type.Union([Type.String(), Type.Null()], {
  description: 'When the service publishes it; null: only when somebody publishes it',
})
const head = {
  _id: Type.String(),
  id: Type.String(),
  __v: Type.Integer(),
  title: Type.String(),
  publishAt,
  problem: Type.Union([Type.String(), Type.Null()], {
    description: 'Why it could not be published at its time; it is not tried again until it is saved',
  }),
  problemDetails: Type.Array(foundProblem, {
    description: 'The fields that `problem` is about, for messages in a language other than English',
  }),
  createdAt: Type.String(),
  updatedAt: Type.String(),
}
const record = Type.Object({
  ...head,
  content: Type.String(),
  slug: Type.String(),
  metaDescription: Type.String(),
  status,
  images: Type.Array(Type.String()),
  cta: Type.Array(Type.Object({ name: Type.String(), url: Type.String() })),
  itemIds: Type.Array(Type.String()),
})

export const draftBody = Type.Object(
  {
    title: Type.Optional(Type.String({ maxLength: 500 })),
    content: Type.Optional(Type.String({ maxLength: 200_000, description: 'HTML' })),
    slug: Type.Optional(Type.String({ maxLength: 500 })),
    metaDescription: Type.Optional(Type.String({ maxLength: 2000 })),
    status: Type.Optional(status),
    images: Type.Optional(Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 200 })),
    cta: Type.Optional(
      Type.Array(
        Type.Object(
          { name: Type.String({ maxLength: 500 }), url: Type.String({ maxLength: 2000 }) },
          { additionalProperties: false },
        ),
        { maxItems: 200 },
      ),
    ),
    itemIds: Type.Optional(
      Type.Array(Type.String({ pattern: '^[0-9a-fA-F]{24}$' }), {
        maxItems: 1000,
        description:
          'Products to attach when it is published; ids that match no product at that time are skipped',
      }),
    ),
    publishAt: Type.Optional(
      Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
        description:
          'When to publish it, ISO 8601; without an offset it is UTC. With a time, it must be valid as an article',
      }),
    ),
  },
  { additionalProperties: false },
)
export const draftAnswer = Type.Object({ data: record })
export const draftListAnswer = Type.Object({
  data: Type.Array(Type.Object(head), { description: `At most ${MAX_DRAFTS}` }),
})
