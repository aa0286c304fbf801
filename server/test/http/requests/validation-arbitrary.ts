import fc from 'fast-check'
import type { Shape } from '../../../src/http/validation/validation-shape.ts'

/** Values that fit almost no schema, as a parsed JSON body can contain them. */
const junk: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -0,
  -1,
  1.5,
  51,
  1e20,
  -1e20,
  2 ** 53,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  '',
  ' ',
  'x',
  '5',
  'true',
  'active',
  'ACTIVE',
  'a "quoted" <b>&\'',
  'x'.repeat(300),
  'Điện thoại 📱📱📱',
  [],
  {},
  [null],
  [[['a']]],
  { id: 1 },
  { a: { b: { c: [] } } },
)

const strangeKey = fc.constantFrom(
  'extra',
  'stock_quantity',
  'categoryId',
  '',
  ' ',
  'a.b',
  'a[0]',
  '0',
  '12',
  '<script>"&\'',
  'tên\nhai',
  'toString',
  'constructor',
  'hasOwnProperty',
)

const numberText = fc.oneof(
  fc.constantFrom('', ' ', '0', '-0', '+5', '05', '5.', '.5', '1.50', ' 7 ', '1e1', '1E400', '0x10', 'NaN'),
  fc.constantFrom(
    'Infinity',
    '1,5',
    '99999999999999999999',
    '0.1234567890123456789',
    '9007199254740993',
    '--1',
  ),
  fc.constantFrom('0.00000012345678901234567890', '1e-7', '10e-1', '-.5', '1e', '51', '101'),
  fc.integer({ min: -3, max: 120 }).map(String),
  fc.double({ noNaN: true }).map(String),
  fc
    .stringMatching(/^ ?[+-]?\d{0,3}(\.\d{0,20})?(e[+-]?\d{1,2})?$/)
    .filter((text) => !/^ ?[+-]?\.0+$/.test(text)),
)

const dateText = fc.oneof(
  fc.constantFrom('2024-02-30', '2024-13-01', '2024', '2024-05', '20240501', '2024-05-01T10', 'yesterday'),
  fc.constantFrom('2024-05-01T10:00', '2024-05-01T10:00:00+07', '2024-05-01 10:00:00.5+0700', '2024-05-01Z'),
  fc.constantFrom(
    '2024-05-01T24:00:00Z',
    '2024-05-01T25:00:00Z',
    '2024-05-01T10:61Z',
    '2024-05-01T10:00:00,5Z',
  ),
  fc
    .date({ noInvalidDate: true, min: new Date('1000-01-01'), max: new Date('9999-01-01') })
    .map((date) => date.toISOString()),
)

const uriText = fc.constantFrom(
  'https://a.example/s/1',
  'zalo:oa',
  '//a',
  'a b',
  'http://a b/',
  '/s/1',
  'mailto:a@b.vn',
)

/** One value in three is valid, one has a flaw or two, one has many: wrong types, missing keys, unknown keys. */
export function bodies(shape: Shape): fc.Arbitrary<unknown> {
  return fc.oneof(nearly(shape, 0), nearly(shape, 3), nearly(shape, 15))
}

/** Like `bodies`, for a parsed query string: values are texts, or lists of texts when a name is repeated. */
export function queries(shape: Shape): fc.Arbitrary<unknown> {
  const repeated = fc.array(fc.constantFrom('a', '1'), { minLength: 2, maxLength: 3 })
  const withNoise = (noise: number) =>
    objectOf(
      fieldsOf(shape, noise, (child) =>
        fc.oneof({ weight: 30, arbitrary: queryText(child, noise) }, { weight: noise, arbitrary: repeated }),
      ),
      noise,
    )
  return fc.oneof(withNoise(0), withNoise(3), withNoise(15))
}

function nearly(shape: Shape, noise: number): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 100 - noise, arbitrary: fitting(shape, noise) },
    { weight: noise, arbitrary: junk },
  )
}

function queryText(shape: Shape, noise: number): fc.Arbitrary<string> {
  const poor = fc.constantFrom('', ' ', 'x', '1', 'true', '<b>', 'yes')
  const odd = shape.type === 'number' || shape.type === 'integer' ? numberText : poor
  const fine =
    shape.type === 'boolean'
      ? fc.constantFrom('true', 'false', ' TRUE ', 'False')
      : fitting(shape, noise).map((value) => String(value))
  return fc.oneof({ weight: 10, arbitrary: fine }, { weight: noise, arbitrary: odd })
}

function fitting(shape: Shape, noise: number): fc.Arbitrary<unknown> {
  if (shape.enum) return fc.constantFrom(...shape.enum)
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map((member) => nearly(member, noise)))
  switch (shape.type) {
    case 'string':
      return textOf(shape, noise)
    case 'number':
    case 'integer': {
      const min = Math.max(shape.minimum ?? 0, 0)
      const max = Math.min(shape.maximum ?? 1000, 1000) + (noise && 5)
      const whole = fc.integer({ min, max })
      if (shape.multipleOf !== undefined) {
        const hundredths = fc.integer({ min: min * 100, max: max * 100 }).map((n) => n / 100)
        return fc.oneof(whole, hundredths, fc.constantFrom(8.55, 0.07, 4.35, 0.001, 8.550000000001, 1e-7))
      }
      return shape.type === 'integer' ? whole : fc.oneof(whole, fc.double({ min, max, noNaN: true }))
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(nearly(shape.items ?? {}, noise), {
        minLength: noise ? 0 : shape.minItems,
        maxLength: noise ? 4 : Math.min(shape.maxItems ?? 4, 4),
      })
    case 'object':
      return objectOf(
        fieldsOf(shape, noise, (child) => nearly(child, noise)),
        noise,
      )
    default:
      return junk
  }
}

function textOf(shape: Shape, noise: number): fc.Arbitrary<string> {
  const plain = fc.string({ minLength: shape.minLength ?? 0, maxLength: 10 })
  if (shape.format === 'date-time') return dateText
  if (shape.format === 'uri') return uriText
  const fine = shape.pattern ? fc.stringMatching(new RegExp(shape.pattern)) : plain
  const poor = fc.oneof(plain, fc.constantFrom('', 'a', 'ABCD', 'abc/12', '📱'.repeat(7)))
  return fc.oneof({ weight: 100 - noise, arbitrary: fine }, { weight: noise, arbitrary: poor })
}

type Entry = [string, unknown] | undefined

/** Optional keys are present two times in three; required ones are missing only by noise. */
function fieldsOf(
  shape: Shape,
  noise: number,
  valuesFor: (child: Shape) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Entry>[] {
  const known = Object.entries(shape.properties ?? {}).map(([key, child]) => {
    const there = valuesFor(child).map((item): Entry => [key, item])
    const missing = shape.required?.includes(key) ? noise / 2 : 33
    return fc.oneof(
      { weight: 100, arbitrary: there },
      { weight: Math.ceil(missing), arbitrary: fc.constant(undefined) },
    )
  })
  const rest = shape.additionalProperties
  if (typeof rest !== 'object') return known
  const free = fc.tuple(strangeKey, valuesFor(rest))
  const maybe = fc.option(free, { freq: 2, nil: undefined })
  return noise ? [...known, maybe, maybe, maybe] : [...known, free]
}

/** Keys in random order, because the order of unknown keys decides which one is reported. */
function objectOf(fields: fc.Arbitrary<Entry>[], noise: number): fc.Arbitrary<unknown> {
  const extra = fc.oneof(
    { weight: 30, arbitrary: fc.constant(undefined) },
    { weight: noise, arbitrary: fc.tuple(strangeKey, junk) },
  )
  return fc
    .tuple(...fields, extra, extra)
    .chain((entries) => fc.shuffledSubarray(entries, { minLength: entries.length }))
    .map((entries) => Object.fromEntries(entries.filter((item) => item !== undefined)))
}
