import { celebrate, errors } from 'celebrate'
import fc from 'fast-check'
import Joi from 'joi'
import { describe, expect, it } from 'vitest'
import { problemOf, validationBody } from '../../../src/errors.ts'
import type { PlainRule, RuleValues } from '../../../src/field-rules.ts'
import { firstProblem } from '../../../src/http/validation/joi-messages.ts'
import { compileValidator } from '../../../src/http/validation/validate.ts'
import { shapeOf } from '../../../src/http/validation/validation-shape.ts'
import { bodies, queries } from './validation-arbitrary.ts'
import { PAIRS, type Pair } from './validation-pairs.ts'

const RUNS = 500
const SEED = 20_260_501

/** Every sentence that our schemas can produce. `_` stands for values and limits. */
const WORDINGS = [
  'cannot be infinity',
  'does not match any of the allowed types',
  'is not allowed',
  'is not allowed to be empty',
  'is required',
  'length must be at least _ characters long',
  'length must be less than or equal to _ characters long',
  'must be _',
  'must be a boolean',
  'must be a number',
  'must be a safe number',
  'must be a string',
  'must be a valid uri',
  'must be an array',
  'must be an integer',
  'must be greater than _',
  'must be greater than or equal to _',
  'must be in iso format',
  'must be less than _',
  'must be less than or equal to _',
  'must be of type object',
  'must be one of _',
  'must contain at least _ items',
  'must contain less than or equal to _ items',
  'must have at least _ key',
  'must have less than or equal to _ key',
  'must have less than or equal to _ keys',
  'must have no more than _ decimal places',
  'with value _ fails to match the required pattern: _',
]

type Answer = { refused?: unknown; rule?: string; values?: object; accepted?: unknown }

/** Joi's name of the rule and the values in its sentence. The value itself is left out if the sentence does not contain it. */
function joiRule(error: unknown, segment: string): object {
  const [first] = (error as { details: Map<string, Joi.ValidationError> }).details.get(segment)!.details
  const { key, value, regex, details, matches, message, child, ...values } = first!.context!
  const pattern = regex === undefined ? {} : { value, regex: String(regex) }
  return { rule: first!.type, values: { ...values, ...pattern } }
}

/** Joi's names of the rules for these sentences. */
const RULES = [
  'alternatives.match',
  'alternatives.types',
  'any.only',
  'any.required',
  'array.base',
  'array.max',
  'array.min',
  'boolean.base',
  'number.base',
  'number.greater',
  'number.infinity',
  'number.integer',
  'number.less',
  'number.max',
  'number.min',
  'number.precision',
  'number.unsafe',
  'object.base',
  'object.max',
  'object.min',
  'object.unknown',
  'string.base',
  'string.empty',
  'string.isoDate',
  'string.max',
  'string.min',
  'string.pattern.base',
  'string.uri',
]

/**
 * What a real celebrate service returns: the body of its 400 and Joi's rule, or the value that its handler would get.
 * Bodies are checked without conversion, because ours are never coerced; queries with it, and with unknown parameters
 * dropped. These pairs leave out our intended differences:
 * - of a parameter that was sent twice we drop the empty values, and read the rest;
 * - `__proto__` as a key: Joi drops it silently, we refuse it;
 * - text that cannot be stored and deep nesting: Joi accepts them, we refuse them first;
 * - `.0` in a query: Joi calls it an unsafe number, to us it is 0;
 * - `isoDate()` in queries converts a text to local-time ISO; ours stays as sent (`raw()` in the pair).
 */
function celebrateAnswer({ part, joi }: Pair, value: unknown): Promise<Answer> {
  const segment = part === 'body' ? 'body' : 'query'
  const options = part === 'body' ? { convert: false } : { convert: true, stripUnknown: true }
  const check = celebrate({ [segment]: joi }, options) as unknown as (
    req: object,
    res: object,
    next: (error?: unknown) => void,
  ) => Promise<void>
  const toAnswer = errors() as unknown as (error: unknown, req: object, res: object, next: unknown) => void
  const req: Record<string, unknown> = { method: 'POST', [segment]: value }
  return new Promise((resolve, reject) => {
    const res = { status: () => ({ send: (body: unknown) => resolve({ refused: body, ...found }) }) }
    let found: object = {}
    check(req, res, (error) => {
      if (error === undefined || error === null) resolve({ accepted: req[segment] })
      else {
        found = joiRule(error, segment)
        toAnswer(error, req, res, reject)
      }
    }).catch(reject)
  })
}

function ourAnswer(check: ReturnType<typeof compileValidator>, value: unknown): Answer {
  const result = check(value)
  if (!('error' in result)) return { accepted: result.value }
  const { validation } = validationBody(result.error, true)
  const { rule, values } = Object.values(validation)[0]!.details![0]!
  return { refused: validationBody(result.error), rule, values: { ...values } }
}

/**
 * Responses as bytes. An accepted value is written with its keys in order, because defaults are filled in at different
 * times.
 */
function bytes(answer: unknown): string {
  const { accepted } = answer as { accepted?: unknown }
  if (accepted === undefined) return JSON.stringify((answer as { refused?: unknown }).refused)
  const top = JSON.parse(JSON.stringify(accepted)) as object
  return JSON.stringify({ accepted: Object.entries(top).sort(([a], [b]) => (a < b ? -1 : 1)) })
}

function ruleOf({ rule, values }: { rule?: string; values?: object }): object {
  return { rule, values }
}

describe('G-03 validation answers are those of real celebrate, byte for byte', () => {
  const wordings = new Set<string>()
  const rules = new Set<string>()

  it.each(PAIRS)('$name', async (pair) => {
    const check = compileValidator(pair.schema, pair.part)
    const shape = shapeOf(pair.schema)
    const values = pair.part === 'body' ? bodies(shape) : queries(shape)
    const outcomes = { refused: 0, accepted: 0 }
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const theirs = await celebrateAnswer(pair, structuredClone(value))
        const ours = ourAnswer(check, structuredClone(value))
        expect(bytes(ours)).toBe(bytes(theirs))
        expect(ruleOf(ours)).toEqual(ruleOf(theirs))
        if ('refused' in ours) {
          outcomes.refused++
          const message =
            JSON.stringify({ refused: ours.refused }).match(/"message":"((?:[^"\\]|\\.)*)"\}\}\}\}$/)?.[1] ??
            ''
          const wording = message.replace(/^\\".*?\\" /, '').replace(/\[.*\]|\\".*\\"|\/.*\/|-?\d+/g, '_')
          wordings.add(wording)
          rules.add(ours.rule!)
        } else outcomes.accepted++
      }),
      { numRuns: RUNS, seed: SEED },
    )
    expect(Math.min(outcomes.refused, outcomes.accepted), JSON.stringify(outcomes)).toBeGreaterThan(RUNS / 20)
  })

  it('and the random values drew every wording we have', () => {
    expect([...wordings].sort()).toEqual(WORDINGS)
    expect([...rules].sort()).toEqual(RULES)
  })
})

describe('G-03 rules of Joi that only handlers know', () => {
  const field = (rule: Joi.Schema) => Joi.object({ a: rule })
  const peers = ['a', 'b']
  it.each<[PlainRule, RuleValues, Joi.Schema, object]>([
    ['date.format', {}, field(Joi.date().iso()), { a: 'x' }],
    ['string.email', {}, field(Joi.string().email()), { a: 'x' }],
    [
      'string.uriCustomScheme',
      { scheme: 'http|https' },
      field(Joi.string().uri({ scheme: ['http', 'https'] })),
      { a: 'x' },
    ],
    ['object.xor', { peers }, Joi.object().xor('a', 'b').unknown(), { a: 1, b: 2 }],
    ['object.missing', { peers }, Joi.object().or('a', 'b').unknown(), {}],
  ])('%s has its name and words', (rule, values, schema, value) => {
    const [theirs] = schema.validate(value).error!.details
    expect(theirs!.type).toBe(rule)
    expect(problemOf(theirs!.path, rule, values).message).toBe(theirs!.message)
    expect(theirs!.context).toMatchObject(values)
  })
})

describe('G-03 the explanation and the verdict', () => {
  it.each(PAIRS.filter((pair) => pair.part === 'body'))('agree on $name', ({ schema }) => {
    const check = compileValidator(schema, 'body')
    const shape = shapeOf(schema)
    fc.assert(
      fc.property(bodies(shape), (value) => {
        const explained = firstProblem(shape, structuredClone(value)) !== undefined
        expect('error' in check(structuredClone(value))).toBe(explained)
      }),
      { numRuns: RUNS, seed: SEED + 1 },
    )
  })
})
