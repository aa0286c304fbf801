import { FIELD_RULES } from '../../field-rules.ts'

/** One of `validation.<source>.details` of a 400, with the names that `rule` takes (G-03). */
export const fieldProblem = {
  type: 'object' as const,
  description:
    'One of `validation.<source>.details` in a 400 to a request with the header `x-validation-detail: 1`: for sentences in another language than that of `message`.',
  required: ['key', 'message', 'rule', 'values'],
  properties: {
    key: { type: 'string' as const, description: 'The field, as in `keys`; empty for the whole' },
    message: { type: 'string' as const, description: 'This field’s part of `message`' },
    rule: {
      type: 'string' as const,
      enum: FIELD_RULES,
      description:
        'The broken rule. Names stay as they are; new ones may be added. Those of Joi are Joi’s own.',
    },
    values: {
      type: 'object' as const,
      description:
        '`label`: the field as `message` writes it; and what the rule’s sentence names, such as `limit`, `valids`, `types`, `peers`, `kind`',
      additionalProperties: {},
    },
  },
}

/** The header that asks for them, of every operation. */
export const detailHeader = {
  'x-validation-detail': {
    type: 'string' as const,
    enum: ['1'],
    description:
      'A 400 that names fields carries `validation.<source>.details` too: a list of `FieldProblem`',
  },
}
