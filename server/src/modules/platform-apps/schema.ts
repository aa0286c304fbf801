import { Type } from 'typebox'
import { nameText } from '../../http/validation/validate.ts'

export const platformAppRecord = Type.Object({
  appId: Type.String(),
  name: Type.String(),
  hasAppSecret: Type.Boolean(),
  hasOaSecretKey: Type.Boolean(),
  hasPreviousOaSecretKey: Type.Boolean(),
  accounts: Type.Integer({ description: 'How many official accounts of all shops refer to the app' }),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})

const secret = (description: string) => Type.String({ minLength: 1, maxLength: 500, description })

export const setPlatformAppBody = Type.Object(
  {
    appId: Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\w.-]+$' }),
    name: Type.Optional(nameText(200)),
    appSecret: Type.Optional(secret('Sent with requests for tokens')),
    oaSecretKey: Type.Optional(
      secret(
        'The key with which the platform signs events, from the webhook page of its console. The key that it replaces becomes the previous one',
      ),
    ),
    previousOaSecretKey: Type.Optional(
      Type.Union([secret('Still accepted for events; null: none is'), Type.Null()]),
    ),
  },
  { additionalProperties: false },
)
