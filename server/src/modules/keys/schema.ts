import { Type } from 'typebox'

export const keyRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  expiresAt: Type.Union([Type.String(), Type.Null()]),
  lastUsedAt: Type.Union([Type.String(), Type.Null()]),
  revokedAt: Type.Union([Type.String(), Type.Null()]),
  createdAt: Type.String(),
})

export const createKeyBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    expiresAt: Type.Optional(Type.String({ minLength: 1, description: 'ISO 8601, in the future' })),
  },
  { additionalProperties: false },
)
