import { Type } from 'typebox'
import { placeFields } from '../../http/list-place.ts'
import { pageMeta, paging } from '../../http/validation/fields.ts'
import { nameText } from '../../http/validation/validate.ts'

const PRICE = 'Price of a message by phone number, in đồng, if the platform sets none for its template'
const PRICE_UID = 'Price of a message by UID, in đồng, if the platform sets none for its template'

const chargeOn = Type.Union([Type.Literal('accepted'), Type.Literal('delivered')], {
  description:
    'When a message’s fee is charged: when the platform accepts it, or when its receipt comes. Without a receipt in time the fee is given back',
})

export const officialAccountRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  __v: Type.Integer({ description: 'Counts the changes of the settings' }),
  oaId: Type.String(),
  name: Type.String(),
  appId: Type.Union([Type.String(), Type.Null()]),
  price: Type.Union([Type.Integer(), Type.Null()], { description: PRICE }),
  priceUID: Type.Union([Type.Integer(), Type.Null()], { description: PRICE_UID }),
  chargeOn,
  hasSecretKey: Type.Boolean(),
  hasAccessToken: Type.Boolean(),
  hasRefreshToken: Type.Boolean(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})

export const officialAccountsQuery = Type.Object({
  ...paging(1000, 1000),
  ...placeFields,
})

export const officialAccountsAnswer = Type.Object({
  data: Type.Array(officialAccountRecord),
  meta: pageMeta,
})

export const linkOfficialAccountBody = Type.Object(
  {
    oaId: Type.String({ minLength: 1, maxLength: 64 }),
    name: nameText(200),
    appId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    secretKey: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    accessToken: Type.Optional(Type.String({ minLength: 1, maxLength: 5000 })),
    refreshToken: Type.Optional(Type.String({ minLength: 1, maxLength: 5000 })),
  },
  { additionalProperties: false },
)

const price = Type.Optional(
  Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000_000 }), Type.Null()], {
    description: 'In đồng; null: none',
  }),
)

export const updateOfficialAccountBody = Type.Object(
  {
    name: Type.Optional(nameText(200)),
    appId: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()])),
    price,
    priceUID: price,
    chargeOn: Type.Optional(chargeOn),
    secretKey: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    accessToken: Type.Optional(Type.String({ minLength: 1, maxLength: 5000 })),
    refreshToken: Type.Optional(Type.String({ minLength: 1, maxLength: 5000 })),
  },
  { additionalProperties: false },
)
