import type { Json } from '../document.ts'
import type { Random } from './random.ts'

/** Malformed ids, as produced by faulty forms and URL templates. */
export const MALFORMED_IDS = [
  'undefined',
  'null',
  '1',
  '[object Object]',
  'z'.repeat(24),
  'a'.repeat(23),
  'a'.repeat(25),
  'ａ'.repeat(24),
  '6b02d1ce ea668e45c2000001',
  "' or 1=1--",
  '../../../etc/passwd',
  '{id}',
  '😀',
  'a\u0000b',
]

const NUMBERS = [
  0,
  -0,
  -1,
  1.5,
  0.1,
  8.123,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  9e15,
  1e21,
  1e308,
  5e-324,
  Number.MIN_SAFE_INTEGER,
]

const TEXTS = [
  '',
  ' ',
  '\t\n ',
  '\u00a0\u3000',
  '\u200b\u2060\ufeff',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udc00y',
  'Đường Láng'.normalize('NFD'),
  '\u202eabc',
  '<script>alert(1)</script>',
  '<x><y><order_code>',
  "'; drop table products; --",
  '%',
  '\\',
  '_%\\',
  '=1+1',
  '__proto__',
  'constructor',
  '12',
  'true',
  'null',
  'NaN',
  '1e400',
  '-1',
  '0000-00-00',
  '2026-02-30',
  '2026-13-01T25:61:61Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
  '0001-01-01',
  '2026-11-22T10:00:00+25:00',
  'javascript:alert(1)',
  'https://',
  'http://[::1',
  'https://cdn.example/\u0000',
  '*',
  '😀'.repeat(300),
  '\u0301'.repeat(200),
]

const LENGTHS = [101, 501, 2_001, 10_000, 10_000, 100_001]
/** Near the size limit of a body; rare, since each takes long to write and to read. */
const HUGE_LENGTH = 900_000

/** Values that hardly any field expects. */
export function oddValue(random: Random, from: Json): Json {
  switch (random.below(10)) {
    case 0:
      return null
    case 1:
      return random.chance(0.5)
    case 2:
    case 3:
      return random.pick(NUMBERS)
    case 4:
      return random.pick<Json>([[], {}, [null], [[]], { a: { b: [] } }, [{}], ['x', 'x']])
    case 5:
      return longText(random)
    case 6:
      return typeof from === 'string' ? oddSpelling(random, from) : String(from)
    default:
      return random.pick(TEXTS)
  }
}

function longText(random: Random): string {
  const unit = random.pick(['x', 'Đ', '<p>', '<x>', '&', 'a b ', '😀', '"', 'e\u0301'])
  const length = random.chance(0.03) ? HUGE_LENGTH : random.pick(LENGTHS)
  return unit.repeat(Math.ceil(length / Buffer.byteLength(unit)))
}

/** A text that looks the same to people. */
function oddSpelling(random: Random, text: string): string {
  return random.pick([
    text.normalize('NFD'),
    ` ${text} `,
    `${text}\u200b`,
    `\u200b${text}`,
    text.toUpperCase(),
    text.split('').join('\u200d'),
    `${text}\u0000`,
    `${text}\ud83d`,
  ])
}

export function oddText(random: Random, from: string): string {
  const value = oddValue(random, from)
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** A value with this nesting depth. */
export function nested(depth: number, isArray: boolean): Json {
  let value: Json = 'x'
  for (let n = 0; n < depth; n++) value = isArray ? [value] : { a: value }
  return value
}
