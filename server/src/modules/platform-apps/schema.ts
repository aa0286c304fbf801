import { Type } from 'typebox'
import { nameText } from '../../http/validation/validate.ts'

export const platformAppRecord = Type.Object({
  appId: Type.String(),
  name: Type.String(),
  hasAppSecret: Type.Boolean(),
  hasOaSecretKey: Type.Boolean(),
  hasPreviousOaSecretKey: Type.Boolean(),
  accounts: Type.Integer({ description: 'Official accounts, of all shops, that refer to the app' }),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})

const secret = (description: string) => Type.String({ minLength: 1, maxLength: 500, description })

export const setPlatformAppBody = Type.Object(
  {
    appId: Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\w.-]+$' }),
    name: Type.Optional(nameText(200)),
    appSecret: Type.Optional(secret('What requests for tokens carry')),
    oaSecretKey: Type.Optional(
      secret(
        'What the platform signs events with, from the webhook page of its console. The key that it replaces becomes the previous one',
      ),
    ),
    previousOaSecretKey: Type.Optional(
      Type.Union([secret('Still accepted for events; null: no longer'), Type.Null()]),
    ),
  },
  { additionalProperties: false },
)
