import { Type } from 'typebox'
import { placeFields } from '../../../http/list-place.ts'
import { pageMeta, paging } from '../../../http/validation/fields.ts'
import { literals, nameText } from '../../../http/validation/validate.ts'
import { MAX_OVERLAP_SECONDS, SCOPES } from './rules.ts'

const maxPerMinute = Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000 }), Type.Null()], {
  description:
    'How many of the shop’s requests per minute this key may use, so that it leaves the rest to other keys; null: all',
})

export const keyRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  __v: Type.Integer({ description: 'Counts the changes of `maxPerMinute`' }),
  name: Type.String(),
  prefix: Type.String(),
  scopes: Type.Array(literals(SCOPES)),
  maxPerMinute,
  expiresAt: Type.Union([Type.String(), Type.Null()]),
  lastUsedAt: Type.Union([Type.String({ description: 'Accurate to the minute' }), Type.Null()]),
  revokedAt: Type.Union([Type.String(), Type.Null()]),
  createdAt: Type.String(),
})

const expiresAt = Type.Optional(Type.String({ minLength: 1, description: 'ISO 8601, in the future' }))

export const createKeyBody = Type.Object(
  {
    name: nameText(200),
    expiresAt,
    maxPerMinute: Type.Optional(maxPerMinute),
    scopes: Type.Optional(
      Type.Array(literals(SCOPES), {
        minItems: 1,
        maxItems: 20,
        description:
          '`read` covers every GET; each other scope reads and writes its part, and `orders` also reads products, categories and warehouses. Default: all',
      }),
    ),
  },
  { additionalProperties: false },
)

export const updateKeyBody = Type.Object({ maxPerMinute }, { additionalProperties: false })

export const rotateKeyBody = Type.Object(
  {
    overlapSeconds: Type.Integer({
      minimum: 0,
      maximum: MAX_OVERLAP_SECONDS,
      description: 'How long the old key keeps working',
    }),
    expiresAt,
  },
  { additionalProperties: false },
)

export const keysQuery = Type.Object({
  ...paging(20, 100),
  ...placeFields,
})

export const keysAnswer = Type.Object({
  data: Type.Array(keyRecord),
  meta: pageMeta,
})
