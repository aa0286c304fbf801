import { Type } from 'typebox'

export const connectBody = Type.Object(
  {
    appId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The app to connect through; default: the first one',
      }),
    ),
  },
  { additionalProperties: false },
)

export const connectAnswer = Type.Object({
  data: Type.Object({
    address: Type.String({
      description: 'The consent page of the platform, to be opened in the same browser',
    }),
    expiresAt: Type.String(),
  }),
})

export const finishConnectBody = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 2000 }),
    state: Type.String({ minLength: 1, maxLength: 200 }),
    oaId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  },
  { additionalProperties: false },
)
