import { celebrate, errors } from 'celebrate'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validationBody } from '../../src/errors.ts'
import { firstProblem } from '../../src/http/validation/joi-messages.ts'
import { compileValidator } from '../../src/http/validation/validate.ts'
import { shapeOf } from '../../src/http/validation/validation-shape.ts'
import { bodies, queries } from './validation-arbitrary.ts'
import { PAIRS, type Pair } from './validation-pairs.ts'

const RUNS = 500
const SEED = 20_260_501

/** Every wording our schemas can draw; `_` stands for values and limits. */
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

/**
 * What a real celebrate service answers: the body of its 400, or the value its handler would see.
 * Bodies without conversion, because ours are never coerced; queries with it, unknown parameters dropped.
 * Where we differ on purpose, and these pairs therefore do not go:
 * - of a parameter sent twice we drop the empty values, and read what is left;
 * - `__proto__` as a key: Joi loses it without a word, we refuse it;
 * - text that cannot be stored and deep nesting: Joi lets them through, we refuse them first;
 * - `.0` in a query: Joi calls it an unsafe number, to us it is 0;
 * - `isoDate()` in queries rewrites a text into local-time ISO; ours stays as sent (`raw()` in the pair).
 */
function celebrateAnswer({ part, joi }: Pair, value: unknown): Promise<unknown> {
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
    const res = { status: () => ({ send: (body: unknown) => resolve({ refused: body }) }) }
    check(req, res, (error) => {
      if (error === undefined || error === null) resolve({ accepted: req[segment] })
      else toAnswer(error, req, res, reject)
    }).catch(reject)
  })
}

function ourAnswer(check: ReturnType<typeof compileValidator>, value: unknown): unknown {
  const result = check(value)
  return 'error' in result ? { refused: validationBody(result.error) } : { accepted: result.value }
}

/** Answers as bytes; an accepted value with its keys in order, since defaults are filled in at different times. */
function bytes(answer: unknown): string {
  const { accepted } = answer as { accepted?: unknown }
  if (accepted === undefined) return JSON.stringify(answer)
  const top = JSON.parse(JSON.stringify(accepted)) as object
  return JSON.stringify({ accepted: Object.entries(top).sort(([a], [b]) => (a < b ? -1 : 1)) })
}

describe('G-03 validation answers are those of real celebrate, byte for byte', () => {
  const wordings = new Set<string>()

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
        if ('refused' in (ours as object)) {
          outcomes.refused++
          const message = JSON.stringify(ours).match(/"message":"((?:[^"\\]|\\.)*)"\}\}\}\}$/)?.[1] ?? ''
          const wording = message.replace(/^\\".*?\\" /, '').replace(/\[.*\]|\\".*\\"|\/.*\/|-?\d+/g, '_')
          wordings.add(wording)
        } else outcomes.accepted++
      }),
      { numRuns: RUNS, seed: SEED },
    )
    expect(Math.min(outcomes.refused, outcomes.accepted), JSON.stringify(outcomes)).toBeGreaterThan(RUNS / 20)
  })

  it('and the random values drew every wording we have', () => {
    expect([...wordings].sort()).toEqual(WORDINGS)
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
