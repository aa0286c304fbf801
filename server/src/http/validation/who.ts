import { Type } from 'typebox'
import { literals } from './validate.ts'

/** A person, key or operator that did something; `description` says what null means. */
export const who = (description: string) =>
  Type.Union(
    [
      Type.Object({
        type: literals(['member', 'key']),
        id: Type.String(),
        name: Type.String({ description: 'For a member without a name, the email address' }),
      }),
      Type.Null(),
    ],
    { description },
  )
