import { Type } from 'typebox'
import { literals } from '../../http/validation/validate.ts'
import { TEXT_PROVIDERS } from '../../platform/providers.ts'

const price = { description: 'Price of one SMS, in đồng; a longer text is charged as several' }

export const smsSenderRecord = Type.Object({
  __v: Type.Integer({ description: 'Counts the changes of the sender, its removals too' }),
  provider: Type.String(),
  brandname: Type.String(),
  price: Type.Integer(price),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})

const key = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))

export const setSmsSenderBody = Type.Object(
  {
    provider: literals(TEXT_PROVIDERS, { default: 'esms' }),
    brandname: Type.String({
      minLength: 1,
      maxLength: 30,
      pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$',
      description: 'As registered with the provider; shown as the sender on the phone',
    }),
    price: Type.Integer({ minimum: 1, maximum: 1_000_000, ...price }),
    apiKey: key('From the provider; with `secretKey`. Left out: both stay as they are'),
    secretKey: key('From the provider; with `apiKey`'),
  },
  { additionalProperties: false },
)
