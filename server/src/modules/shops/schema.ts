import { Type } from 'typebox'
import { literals } from '../../http/validate.ts'

export const shopRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  name: Type.String(),
  language: literals(['vi', 'en']),
  oversell: literals(['allow', 'deny']),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})

export const officialAccountRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  oaId: Type.String(),
  name: Type.String(),
  appId: Type.Union([Type.String(), Type.Null()]),
  hasSecretKey: Type.Boolean(),
  hasAccessToken: Type.Boolean(),
  hasRefreshToken: Type.Boolean(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})

export const createShopBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    language: Type.Optional(literals(['vi', 'en'])),
    oversell: Type.Optional(
      literals(['allow', 'deny'], {
        description: 'Whether an order may take more than the stock has (G-43)',
      }),
    ),
  },
  { additionalProperties: false },
)

export const linkOfficialAccountBody = Type.Object(
  {
    oaId: Type.String({ minLength: 1, maxLength: 64 }),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    appId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    secretKey: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    accessToken: Type.Optional(Type.String({ minLength: 1, maxLength: 5000 })),
    refreshToken: Type.Optional(Type.String({ minLength: 1, maxLength: 5000 })),
  },
  { additionalProperties: false },
)

export const walletEntryBody = Type.Object(
  {
    amount: Type.Integer({
      minimum: -1_000_000_000_000,
      maximum: 1_000_000_000_000,
      description: 'Whole đồng; a negative amount corrects',
    }),
    note: Type.String({ minLength: 1, maxLength: 500 }),
  },
  { additionalProperties: false },
)
