import { type Problem, problemOf } from '../../errors.ts'
import type { PlainRule, RuleValues } from '../../field-rules.ts'
import { searchWords } from '../../lib/text/search-pattern.ts'
import { isBlank } from '../../lib/text/text.ts'
import { isIsoDate, isPictureAddress, isUri } from './text-formats.ts'
import { decimalsOf, type Scalar, type Shape } from './validation-shape.ts'

type Path = Problem['path']

/**
 * A problem found in a value. `accepts` lists the types or values that would be valid, if that was the only fault: a
 * union reports those of all its alternatives together.
 */
type Finding = { path: Path; rule: PlainRule; values?: RuleValues; accepts?: Scalar[] }

/**
 * The problem that Joi reports first for this value, or undefined if the value is valid (G-03). Keys are checked in the
 * schema's order, depth first, and then unknown keys in the value's order. Each value is checked for presence, then
 * against a closed list, then for its type, then by the rules in the order of the functions below.
 */
export function firstProblem(shape: Shape, value: unknown): Problem | undefined {
  const found = find(shape, value, [])
  return found && problemOf(found.path, found.rule, found.values)
}

/** Whether a number has at most this many decimals. 8.55 has two, although no double equals 855 hundredths exactly. */
export function hasAtMostDecimals(value: number, decimals: number): boolean {
  return Number(value.toFixed(decimals)) === value
}

function find(shape: Shape, value: unknown, path: Path): Finding | undefined {
  if (shape.anyOf) return findInUnion(shape.anyOf, value, path)
  if (shape.enum) {
    if (shape.enum.some((allowed) => allowed === value)) return undefined
    return { path, rule: 'any.only', values: { valids: shape.enum }, accepts: shape.enum }
  }
  switch (shape.type) {
    case 'string':
      return findInString(shape, value, path)
    case 'number':
    case 'integer':
      return findInNumber(shape, value, path)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : ofType('boolean', path)
    case 'null':
      return value === null
        ? undefined
        : { path, rule: 'any.only', values: { valids: [null] }, accepts: [null] }
    case 'array':
      return findInArray(shape, value, path)
    case 'object':
      return findInObject(shape, value, path)
    default:
      return undefined
  }
}

function ofType(type: 'string' | 'number' | 'boolean' | 'array' | 'object', path: Path): Finding {
  return { path, rule: `${type}.base`, values: type === 'object' ? { type } : {}, accepts: [type] }
}

function findInUnion(members: Shape[], value: unknown, path: Path): Finding | undefined {
  if (value === null && members.some((member) => member.type === 'null')) return undefined
  const findings: Finding[] = []
  // In Joi a nullable field allows the value null and is not a union, so null never occurs in its messages.
  for (const member of members.filter((member) => member.type !== 'null')) {
    const found = find(member, value, path)
    if (!found) return undefined
    findings.push(found)
  }
  if (findings.length === 1) return findings[0]
  const specific = findings.filter((found) => !found.accepts || found.path.length !== path.length)
  if (specific.length === 1) return specific[0]
  if (specific.length > 1) return { path, rule: 'alternatives.match' }
  const accepted = new Set(findings.flatMap((found) => found.accepts ?? []))
  return { path, rule: 'alternatives.types', values: { types: [...accepted] } }
}

function findInString(shape: Shape, value: unknown, path: Path): Finding | undefined {
  if (typeof value !== 'string') return ofType('string', path)
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = shape
  if (value === '' ? minLength > 0 : shape['x-not-blank'] && isBlank(value))
    return { path, rule: 'string.empty' }
  if (value.length < minLength) return { path, rule: 'string.min', values: { limit: minLength } }
  if (value.length > maxLength) return { path, rule: 'string.max', values: { limit: maxLength } }
  const mostWords = shape['x-most-words']
  if (mostWords !== undefined && searchWords(value).length > mostWords)
    return { path, rule: 'string.words', values: { limit: mostWords } }
  if (pattern !== undefined) {
    const regex = new RegExp(pattern)
    if (!regex.test(value))
      return { path, rule: 'string.pattern.base', values: { value, regex: String(regex) } }
  }
  if (format === 'date-time' && !isIsoDate(value)) return { path, rule: 'string.isoDate' }
  if (format === 'uri' && !isUri(value)) return { path, rule: 'string.uri' }
  if (format === 'uri-reference' && !isPictureAddress(value))
    return { path, rule: 'string.uriCustomScheme', values: { scheme: 'http|https' } }
  return undefined
}

function findInNumber(shape: Shape, value: unknown, path: Path): Finding | undefined {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
    return { path, rule: 'number.infinity' }
  if (typeof value !== 'number' || Number.isNaN(value)) return ofType('number', path)
  if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER)
    return { path, rule: 'number.unsafe' }
  if (shape.type === 'integer' && !Number.isInteger(value)) return { path, rule: 'number.integer' }
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = shape
  if (minimum !== undefined && value < minimum)
    return { path, rule: 'number.min', values: { limit: minimum } }
  if (maximum !== undefined && value > maximum)
    return { path, rule: 'number.max', values: { limit: maximum } }
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return { path, rule: 'number.greater', values: { limit: exclusiveMinimum } }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    return { path, rule: 'number.less', values: { limit: exclusiveMaximum } }
  const decimals = multipleOf === undefined ? undefined : decimalsOf(multipleOf)
  if (decimals !== undefined && !hasAtMostDecimals(value, decimals))
    return { path, rule: 'number.precision', values: { limit: decimals } }
  return undefined
}

function findInArray(shape: Shape, value: unknown, path: Path): Finding | undefined {
  if (!Array.isArray(value)) return ofType('array', path)
  if (shape.items) {
    for (const [index, item] of value.entries()) {
      const found = find(shape.items, item, [...path, index])
      if (found) return found
    }
  }
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = shape
  if (value.length < minItems) return { path, rule: 'array.min', values: { limit: minItems } }
  if (value.length > maxItems) return { path, rule: 'array.max', values: { limit: maxItems } }
  return undefined
}

function findInObject(shape: Shape, value: unknown, path: Path): Finding | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ofType('object', path)
  const fields = new Map(Object.entries(value))
  const { properties = {}, required = [], additionalProperties: rest = true } = shape
  for (const [key, child] of Object.entries(properties)) {
    const childPath = [...path, key]
    if (!fields.has(key)) {
      if (required.includes(key)) return { path: childPath, rule: 'any.required' }
      continue
    }
    const found = find(child, fields.get(key), childPath)
    if (found) return found
  }
  for (const [key, item] of fields) {
    if (rest === true || Object.hasOwn(properties, key)) continue
    const at = [...path, key]
    const found: Finding | undefined =
      rest === false ? { path: at, rule: 'object.unknown' } : find(rest, item, at)
    if (found) return found
  }
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = shape
  if (fields.size < minProperties) return { path, rule: 'object.min', values: { limit: minProperties } }
  if (fields.size > maxProperties) return { path, rule: 'object.max', values: { limit: maxProperties } }
  return undefined
}
