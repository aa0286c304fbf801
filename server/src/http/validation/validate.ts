/**
 * Request validation (G-02, G-03, G-08). Malformed ids are not validated here (G-04). How to write schemas:
 *
 * | TypeBox | Joi it stands for |
 * |---|---|
 * | `Type.String({ minLength: 1 })` | `string()` |
 * | `searchText(200, …)` | `string().allow('').max(200)`, and a limit of words |
 * | `nameText(500)` | as the first, and blanks only count as empty |
 * | `Type.String()` | `string().allow('')` |
 * | `Type.String({ pattern })`, `({ format: 'date-time' \| 'uri' })` | `string().pattern()`, `.isoDate()`, `.uri()`; not empty |
 * | `pictureAddress()` | `string().uri({ scheme: ['http', 'https'] })`, or a path of ours |
 * | `Type.Integer({ minimum: 0 })`, `Type.Number()` | `number().integer().min(0)`, `number()`: safe numbers only |
 * | `Type.Number({ multipleOf: 0.01 })` | `number().precision(2)`: two decimals at most |
 * | `literals(['a', 'b'])`, a union of `Type.Literal`, `Type.Enum` | `valid('a', 'b')` |
 * | a union with `Type.Null()` | `.allow(null)` |
 * | any other union | `alternatives().try(…)` |
 * | `Type.Object({…}, { additionalProperties: false })` | `object({…})`; without the option: `.unknown()` |
 * | `Type.Record(Type.String(), T, { maxProperties })` | `object().pattern(any text, T).max()` |
 * | `Type.Array(T, { minItems, maxItems })` | `array().items(T).min().max()` |
 * | `Type.Any()`, `Type.Unknown()` | `any()`: accepted whatever it holds |
 *
 * Not `required` unless listed, as TypeBox does it. `default` fills in a field that is missing. Anything else
 * (`Type.Intersect`, references, …) is refused at start-up.
 */
import { Ajv, type ValidateFunction } from 'ajv'
import { type TUnsafe, Type } from 'typebox'
import { labelOf, type Problem, problemOf, ValidationError } from '../../errors.ts'
import type { BodyRule } from '../../field-rules.ts'
import { MOST_SEARCH_WORDS, searchWords } from '../../lib/text/search-pattern.ts'
import { isBlank } from '../../lib/text/text.ts'
import { sentValues } from '../ignored-parameters.ts'
import { firstProblem, hasAtMostDecimals } from './joi-messages.ts'
import { sizeProblem, storageProblem } from './storable-text.ts'
import { isIsoDate, isPictureAddress, isUri } from './text-formats.ts'
import { decimalsOf, type Shape, shapeOf } from './validation-shape.ts'

export type Validated = { value: unknown } | { error: ValidationError }

// Joi counts lengths in UTF-16 units and uses patterns without the `u` flag, so Ajv does the same. Ajv would warn that
// counting units is deprecated, so it has no logger.
const ajv = new Ajv({ useDefaults: true, strict: true, unicode: false, unicodeRegExp: false, logger: false })
ajv.addFormat('date-time', isIsoDate)
ajv.addFormat('uri', isUri)
ajv.addFormat('uri-reference', isPictureAddress)
ajv.addKeyword({
  keyword: 'x-not-blank',
  type: 'string',
  schemaType: 'boolean',
  compile: (isOn: boolean) => (value: string) => !isOn || !isBlank(value),
})
ajv.addKeyword({
  keyword: 'x-most-words',
  type: 'string',
  schemaType: 'number',
  compile: (most: number) => (value: string) => searchWords(value).length <= most,
})
// Ajv divides, and doubles are not exact multiples of 0.01, so it would refuse 8.55.
ajv.removeKeyword('multipleOf')
ajv.addKeyword({
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  compile: (multipleOf: number) => {
    const decimals = decimalsOf(multipleOf)!
    return (value: number) => hasAtMostDecimals(value, decimals)
  },
})

/** The schema of a closed list of strings, with the list as its static type. */
export function literals<const Value extends string>(
  values: readonly Value[],
  options: { default?: NoInfer<Value>; description?: string } = {},
): TUnsafe<Value> {
  return Type.Unsafe<Value>({ type: 'string', enum: [...values], ...options })
}

/** The schema of a name for people to read, which must not consist of blanks only. */
export function nameText(maxLength: number) {
  return Type.String({ minLength: 1, maxLength, 'x-not-blank': true })
}

/** The schema of words to search for. */
export function searchText(maxLength: number, description: string) {
  return Type.String({
    maxLength,
    'x-most-words': MOST_SEARCH_WORDS,
    description: `${description}. At most ${MOST_SEARCH_WORDS} words that differ`,
  })
}

/** The schema of a VAT rate (G-42). */
export function vatPercent(description = 'Percent, with at most two decimals') {
  return Type.Number({ minimum: 0, maximum: 100, multipleOf: 0.01, description })
}

/** The schema of a picture's address: http, https or a path of this service, of at most 2,000 characters. */
export function pictureAddress(options: { minLength?: 0; description?: string } = {}) {
  return Type.String({ maxLength: 2000, format: 'uri-reference', ...options })
}

/**
 * Returns the function that checks one part of a request against its schema, for Fastify's validator compiler. Bodies
 * are checked as sent: nothing is coerced or dropped. Queries arrive as text: numbers and booleans are read as Joi
 * reads them, an empty parameter counts as absent, and unknown ones are dropped (G-08). An error holds the one problem
 * that celebrate would report (G-03), with its path in wire names.
 * @throws Error immediately for a schema that it does not support.
 */
export function compileValidator(schema: object, part: 'body' | 'querystring'): (data: unknown) => Validated {
  const shape = shapeOf(schema, part)
  // Compiling every schema took a third of the start-up time. Compiled when first used, each adds a few ms to that
  // request.
  let fits: ValidateFunction | undefined
  const source = part === 'body' ? 'body' : 'query'
  return (data) => {
    const value = part === 'querystring' ? readQuery(shape, data) : data
    const unstorable = storageProblem(value)
    fits ??= ajv.compile(shape)
    if (!unstorable && fits(value)) return { value }
    return { error: invalid(source, unstorable ?? firstProblem(shape, value) ?? unexplained()) }
  }
}

/** Checks only the size and nesting of a body, for operations that report its faults in their own response. */
export function checkSize(value: unknown): Validated {
  const problem = sizeProblem(value)
  return problem === undefined ? { value } : { error: invalid('body', problem) }
}

/**
 * For an operation without a schema for its body.
 * @throws ValidationError for a body that cannot be stored.
 */
export function assertStorable(body: unknown): void {
  const problem = storageProblem(body)
  if (problem !== undefined) throw invalid('body', problem)
}

function invalid(source: 'body' | 'query', problem: Problem): ValidationError {
  const values = { label: labelOf(problem.path), ...problem.values }
  return new ValidationError(source, [{ ...problem, path: problem.path.map(escapeHtml), values }])
}

/** The problem to report if `firstProblem` finds none where Ajv does: a 400 and not a 500. A test compares their results. */
function unexplained(): Problem {
  return problemOf([], 'alternatives.match')
}

/** Reads each known query parameter as its type. Text that is no such value stays as it is, for the rules to refuse. */
function readQuery(shape: Shape, data: unknown): Record<string, unknown> {
  const given = Object(data) as Record<string, unknown>
  const query: Record<string, unknown> = {}
  for (const [key, child] of Object.entries(shape.properties ?? {})) {
    if (!Object.hasOwn(given, key)) continue
    const sent = sentValues(given[key])
    const [text] = sent
    if (sent.length > 1) query[key] = sent
    else if (sent.length === 1) query[key] = typeof text === 'string' ? readText(child, text) : text
  }
  return query
}

function readText(shape: Shape, text: string): unknown {
  if (shape.type === 'number' || shape.type === 'integer') return readNumber(text)
  if (shape.type === 'boolean') {
    const word = text.trim().toLowerCase()
    return word === 'true' ? true : word === 'false' ? false : text
  }
  return text
}

const DECIMAL = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i

/** The number that a text spells, or else the text. A number that a double cannot hold exactly becomes an unsafe number. */
function readNumber(text: string): unknown {
  if (!DECIMAL.test(text)) return text
  const value = Number(text)
  const written = String(value)
  // Joi accepts a plain decimal that JavaScript prints with an exponent; the largest of these are unsafe anyway.
  const isCompared = /e/i.test(text) || !written.includes('e')
  if (isCompared && significantDigits(text.trim()) !== significantDigits(written)) return Number.MAX_VALUE
  return value === 0 ? 0 : value // never -0
}

function significantDigits(text: string): string {
  const digits = text
    .replace(/e[+-]?\d+$/i, '')
    .replace('.', '')
    .replace(/^[+-]?0*/, '')
  let end = digits.length
  // `/0+$/` would take 0.3 s for a query with 16,000 zeros before a last digit.
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

const HTML: Record<string, string> = { '"': '&quot;', '&': '&amp;', "'": '&#39;', '<': '&lt;', '>': '&gt;' }

/** celebrate escapes `keys` but not `message`. Only a caller's own field name can contain such text. */
function escapeHtml(part: string | number): string | number {
  return typeof part === 'number'
    ? part
    : part.replace(/["&'<>]/g, (character) => HTML[character] ?? character)
}

/** The body is not UTF-8, the only encoding of JSON between systems (RFC 8259). */
export class BodyNotUtf8 extends Error {}

/** The body has more fields and entries than any body of ours may have. */
export class BodyTooManyValues extends Error {}

/** The body has a content encoding, such as compression. None is supported. */
export class BodyEncoded extends Error {}

/** The content type of a JSON body names another encoding of characters than UTF-8. */
export class BodyCharset extends Error {}

/** The body that a route accepts; by default JSON of at most 1 MB. `hasDetails`: whether the caller asks for error details. */
export type AcceptedBody = {
  types?: string[] | undefined
  limitBytes?: number | undefined
  hasDetails?: boolean
}

export type BodyParseAnswer = { statusCode: number; body: object }

const MEGABYTE = 1024 * 1024

const UNREADABLE: Record<BodyRule, string> = {
  'body.empty': 'Body must be JSON, but it is empty',
  'body.notJson': 'Body is not valid JSON',
  'body.length': 'Body length does not match Content-Length',
  'body.notUtf8': 'Body is not valid UTF-8',
  'body.tooManyValues': 'Body contains too many fields or entries',
}

const RULE_OF_CODE: Record<string, BodyRule> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'body.empty',
  FST_ERR_CTP_INVALID_JSON_BODY: 'body.notJson',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'body.length',
}

/**
 * The response to a body that failed before its schema was checked, or undefined for any other error. An unreadable
 * body is a 400 in the validation shape without keys (G-02), a body over the limit a 413, another media type or a
 * content encoding a 415. A bare SyntaxError counts only if a body parser gave it status 400: our own are 500s.
 */
export function bodyParseProblem(error: unknown, accepted: AcceptedBody = {}): BodyParseAnswer | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, statusCode } = error as Error & { code?: unknown; statusCode?: unknown }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const limit = accepted.limitBytes ?? MEGABYTE
    const size = limit < MEGABYTE ? `${limit / 1024} KB` : `${limit / MEGABYTE} MB`
    return refused(413, 'Payload Too Large', `Body is larger than the limit of ${size}`)
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    const types = (accepted.types ?? ['application/json']).join(', ').replace(/, ([^,]*)$/, ' or $1')
    return refused(415, 'Unsupported Media Type', `Content-Type must be ${types}`)
  }
  if (error instanceof BodyEncoded) {
    const says = 'Content-Encoding is not supported: send the body without encoding'
    return refused(415, 'Unsupported Media Type', says)
  }
  if (error instanceof BodyCharset) {
    return refused(415, 'Unsupported Media Type', 'The charset of Content-Type must be utf-8')
  }
  if (error instanceof BodyNotUtf8) return unreadable('body.notUtf8', accepted)
  if (error instanceof BodyTooManyValues) return unreadable('body.tooManyValues', accepted)
  if (typeof code === 'string' && Object.hasOwn(RULE_OF_CODE, code))
    return unreadable(RULE_OF_CODE[code]!, accepted)
  if (error instanceof SyntaxError && statusCode === 400) return unreadable('body.notJson', accepted)
  return undefined
}

function refused(statusCode: number, error: string, message: string): BodyParseAnswer {
  return { statusCode, body: { statusCode, error, message } }
}

function unreadable(rule: BodyRule, { hasDetails }: AcceptedBody): BodyParseAnswer {
  const message = UNREADABLE[rule]
  const validation = {
    source: 'body',
    keys: [],
    message,
    ...(hasDetails ? { details: [{ key: '', message, rule, values: {} }] } : {}),
  }
  return {
    statusCode: 400,
    body: {
      statusCode: 400,
      error: 'Bad Request',
      message: 'Validation failed',
      validation: { body: validation },
    },
  }
}
