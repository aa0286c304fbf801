import { Type } from 'typebox'
import { FIELD_RULES, type FieldRule, type RuleValues } from '../../field-rules.ts'
import { cursorFields } from '../list-place.ts'
import { literals } from './validate.ts'

/**
 * The fields for a list's page, from 1 to `mostPages`, and its size: `limit` by default, at most `most`. `mostPages`
 * null means no last page, as for the contract's own lists.
 */
export function paging(limit: number, most: number, mostPages: number | null = 1_000_000) {
  return {
    page: Type.Integer({ minimum: 1, default: 1, ...(mostPages !== null && { maximum: mostPages }) }),
    limit: Type.Integer({ minimum: 1, maximum: most, default: limit }),
  }
}

/** How a list counts the matches of a search (G-65). */
export const totalMode = literals(['exact', 'capped', 'none'], {
  default: 'exact',
  description:
    'How a search counts its matches: all of them; up to 10,000 (`capped`, with `totalPrecision`), which stays fast however large the shop is; or not at all (`none`: `total` and `totalPages` are left out).',
})

/** The sort direction of a list's `sortBy` (G-32, G-113). */
export const sortType = literals(['asc', 'desc'], { default: 'desc' })

/** The fields for the total in the `meta` of a list with {@link totalMode}. */
export const totalFields = {
  total: Type.Optional(Type.Number({ description: 'Number of matches; left out with `total=none`' })),
  totalPages: Type.Optional(Type.Number({ description: 'Left out with `total=none`' })),
  totalPrecision: Type.Optional(
    literals(['exact', 'at_least'], {
      description: 'With `total=capped`: `at_least` if there are more matches than `total`',
    }),
  ),
}

/** The `meta` of a list that does not count its records. It says only whether another page follows, and with which cursor. */
export const pageMeta = Type.Object({
  page: Type.Integer(),
  limit: Type.Integer(),
  hasMore: Type.Boolean(),
  ...cursorFields,
})

/** Partners send this field with every request; it has no effect (G-08, G-09). */
export const ignoredShopId = Type.Optional(
  Type.Unknown({ description: 'Ignored: the API key selects the shop' }),
)

/**
 * A record's id in a query. The handler answers a malformed id with 500 (G-04), so validation ignores it; only the API
 * document has the pattern.
 */
export const queryId = (description?: string) =>
  Type.String({ 'x-object-id': true, ...(description === undefined ? {} : { description }) })

/** A record's id in a body. The handler refuses an id that it does not find; only the API document has the pattern. */
export const bodyId = (description?: string) =>
  Type.String({
    minLength: 1,
    'x-object-id': true,
    ...(description === undefined ? {} : { description }),
  })

/** The rule that a field breaks, for callers that write their own messages (G-03). */
export const brokenRule = {
  rule: Type.Optional(
    Type.Unsafe<FieldRule>({
      type: 'string',
      enum: FIELD_RULES,
      description: 'The rule that the field breaks, as in `FieldProblem`; with `x-validation-detail: 1`',
    }),
  ),
  values: Type.Optional(
    Type.Unsafe<RuleValues>({
      type: 'object',
      additionalProperties: {},
      description: 'As in `FieldProblem`; with `x-validation-detail: 1`',
    }),
  ),
}

/** A problem with one field, in the form of a 400 with details (G-03), that the service found outside a request's check. */
export const foundProblem = Type.Object({
  key: Type.String({ description: 'The field, as in `keys` of a 400; empty for the whole record' }),
  message: Type.String(),
  rule: Type.Unsafe<FieldRule>({ type: 'string', enum: FIELD_RULES, description: 'As in `FieldProblem`' }),
  values: Type.Unsafe<RuleValues>({
    type: 'object',
    additionalProperties: {},
    description: 'As in `FieldProblem`',
  }),
})

/** The first day of a report. */
export const firstDay = Type.Optional(
  Type.String({
    pattern: '^20\\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
    description:
      'The first day, `2026-11-01`, in the shop’s time zone. Default: the last days, today included',
  }),
)
