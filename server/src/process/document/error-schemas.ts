import { FIELD_RULES } from '../../field-rules.ts'

const text = { type: 'string' as const }

function object(required: string[], properties: Record<string, object>, description?: string) {
  return { type: 'object' as const, ...(description && { description }), required, properties }
}

/** An entry of `validation.<source>.details` of a 400, with the possible names in `rule` (G-03). */
const fieldProblem = object(
  ['key', 'message', 'rule', 'values'],
  {
    key: { ...text, description: 'The field, as in `keys`; empty for the whole body' },
    message: { ...text, description: 'This field’s part of `message`' },
    rule: {
      ...text,
      enum: FIELD_RULES,
      description:
        'The broken rule. Names never change; new ones may be added. Rules of Joi have Joi’s names.',
    },
    values: {
      type: 'object',
      description:
        '`label`: the field as `message` writes it; and the values in the rule’s sentence, such as `limit`, `valids`, `types`, `peers`, `kind`',
      additionalProperties: {},
    },
  },
  'One of `validation.<source>.details` in a 400 to a request with the header `x-validation-detail: 1`: for messages in a language other than that of `message`.',
)

const validationSource = object(['source', 'keys', 'message'], {
  source: text,
  keys: { type: 'array', items: text, description: 'The field; empty for the whole part' },
  message: { ...text, description: 'Names the field and says what is wrong, in English' },
  details: {
    type: 'array',
    items: { $ref: '#/components/schemas/FieldProblem' },
    description: 'Only for a request with `x-validation-detail: 1`',
  },
})

const failure = {
  statusCode: { type: 'integer' },
  error: { ...text, description: 'The status in words' },
  message: { ...text, description: 'What is wrong and what to do, in the caller’s language' },
}

/** The shapes of errors (G-02), as the named schemas of the API document. */
export const ERROR_SCHEMAS = {
  FieldProblem: fieldProblem,
  ValidationFailed: object(
    ['statusCode', 'error', 'message', 'validation'],
    {
      ...failure,
      validation: {
        type: 'object',
        description: 'Under the name of the part of the request: `body`, `query` or `headers`',
        additionalProperties: validationSource,
      },
    },
    'A field is missing or not valid, or the body cannot be read',
  ),
  Failure: object(['statusCode', 'error', 'message'], failure, 'The request could not be served'),
  NotFound: object(
    ['error', 'message'],
    { error: text, message: { ...text, description: 'Says what was not found' } },
    'A record that the request names does not exist, or belongs to another shop',
  ),
  RateLimited: object(['error'], { error: text }, 'Too many requests or attempts in a minute'),
}

/** The other change, made since the caller read the record (G-71). */
const lastChange = object(
  ['at', 'by'],
  {
    at: { ...text, description: 'When, ISO 8601' },
    by: {
      ...object(['type', 'id', 'name'], {
        type: { ...text, enum: ['member', 'key'] },
        id: text,
        name: { ...text, description: 'Of the person, or of the key' },
      }),
      type: ['object', 'null'],
      description:
        'null if unknown: the operator or the service itself made the change, or it was made before this was recorded',
    },
  },
  'The last change of the record',
)

/**
 * The shape of a refusal (G-02) with the codes that it may have. If the platform refused, `error` may be the platform's
 * own error number (G-24).
 */
export function refusal(codes: readonly string[]) {
  const isPlatforms = codes.includes('PLATFORM_REFUSED')
  const isChanged = codes.includes('RECORD_CHANGED')
  return object(['statusCode', 'error', 'message', 'code', ...(isChanged ? ['changed'] : [])], {
    ...failure,
    ...(isPlatforms && {
      error: { type: ['string', 'integer'], description: 'The status in words, or the platform’s number' },
    }),
    code: { ...text, enum: codes, description: 'The refused rule' },
    ...(isChanged && { changed: lastChange }),
  })
}
