import { Type } from 'typebox'
import { literals } from '../../../http/validation/validate.ts'

const record = Type.Object({
  text: Type.String(),
  alphabet: literals(['gsm7', 'ucs2'], {
    description: 'With the sample values: `ucs2` holds fewer characters',
  }),
  length: Type.Integer({ description: 'With the sample values, in units of the alphabet' }),
  parts: Type.Integer({ description: 'How many SMS the text takes with the sample values' }),
  mostParts: Type.Integer({ description: 'How many SMS the text takes at most, with the longest values' }),
  price: Type.Union([Type.Integer(), Type.Null()], {
    description: 'What one SMS costs, in đồng; null while the shop has no SMS sender, and then none is sent',
  }),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})

export const smsTextAnswer = Type.Object({
  data: Type.Object({
    __v: Type.Integer({ description: 'Counts the changes of the text, its removals too' }),
    smsFallback: Type.Union([record, Type.Null()]),
  }),
})

export const setSmsTextBody = Type.Object(
  {
    text: Type.Union([Type.String({ minLength: 1, maxLength: 1_000 }), Type.Null()], {
      description:
        'Plain text; may contain the template’s params, as `<param_key>`. Null: no SMS is sent for the template',
    }),
  },
  { additionalProperties: false },
)
