import type { Problem } from '../../errors.ts'
import { isBlank } from '../../lib/text.ts'
import { isIsoDate, isPictureAddress, isUri } from './text-formats.ts'
import { decimalsOf, type Shape } from './validation-shape.ts'

type Path = Problem['path']

/** `accepts` lists types or values when those alone were wrong: alternatives name them together. */
type Finding = { path: Path; says: string; accepts?: unknown[] }

/**
 * The problem Joi reports first for this value, or undefined when the value fits (G-03).
 * Keys in the schema's order, depth first; unknown keys last, in the value's order; of one value: presence,
 * closed list, type, then the rules in the order of the functions below.
 */
export function firstProblem(shape: Shape, value: unknown): Problem | undefined {
  const found = find(shape, value, [])
  return found && { path: found.path, message: `${label(found.path)} ${found.says}` }
}

/** Whether a number is written with so many decimals at most: 8.55 has two, though no double is 855 hundredths. */
export function hasAtMostDecimals(value: number, decimals: number): boolean {
  return Number(value.toFixed(decimals)) === value
}

/** A field's name in quotes as Joi writes it: `"cta[0].url"`, `"value"` for the whole. */
export function label(path: Path): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else text += text === '' ? part : `.${part}`
  }
  return `"${text || 'value'}"`
}

function find(shape: Shape, value: unknown, path: Path): Finding | undefined {
  if (shape.anyOf) return findInUnion(shape.anyOf, value, path)
  if (shape.enum) {
    if (shape.enum.some((allowed) => allowed === value)) return undefined
    const oneOf = shape.enum.length === 1 ? '' : 'one of '
    return { path, says: `must be ${oneOf}${listed(shape.enum)}`, accepts: shape.enum }
  }
  switch (shape.type) {
    case 'string':
      return findInString(shape, value, path)
    case 'number':
    case 'integer':
      return findInNumber(shape, value, path)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : ofType('boolean', 'must be a boolean', path)
    case 'null':
      return value === null ? undefined : { path, says: 'must be [null]', accepts: [null] }
    case 'array':
      return findInArray(shape, value, path)
    case 'object':
      return findInObject(shape, value, path)
    default:
      return undefined
  }
}

function ofType(type: string, says: string, path: Path): Finding {
  return { path, says, accepts: [type] }
}

function findInUnion(members: Shape[], value: unknown, path: Path): Finding | undefined {
  if (value === null && members.some((member) => member.type === 'null')) return undefined
  const findings: Finding[] = []
  // Joi says "nullable" by allowing the value, not by an alternative: null never occurs in its messages.
  for (const member of members.filter((member) => member.type !== 'null')) {
    const found = find(member, value, path)
    if (!found) return undefined
    findings.push(found)
  }
  if (findings.length === 1) return findings[0]
  const specific = findings.filter((found) => !found.accepts || found.path.length !== path.length)
  if (specific.length === 1) return specific[0]
  if (specific.length > 1) return { path, says: 'does not match any of the allowed types' }
  const accepted = new Set(findings.flatMap((found) => found.accepts ?? []))
  return { path, says: `must be one of ${listed([...accepted])}` }
}

function findInString(shape: Shape, value: unknown, path: Path): Finding | undefined {
  if (typeof value !== 'string') return ofType('string', 'must be a string', path)
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = shape
  if (value === '' ? minLength > 0 : shape['x-not-blank'] && isBlank(value))
    return { path, says: 'is not allowed to be empty' }
  if (value.length < minLength) return { path, says: `length must be at least ${minLength} characters long` }
  if (value.length > maxLength)
    return { path, says: `length must be less than or equal to ${maxLength} characters long` }
  if (pattern !== undefined) {
    const regex = new RegExp(pattern)
    if (!regex.test(value))
      return { path, says: `with value "${value}" fails to match the required pattern: ${regex}` }
  }
  if (format === 'date-time' && !isIsoDate(value)) return { path, says: 'must be in iso format' }
  if (format === 'uri' && !isUri(value)) return { path, says: 'must be a valid uri' }
  if (format === 'uri-reference' && !isPictureAddress(value))
    return { path, says: 'must be a valid uri with a scheme matching the http|https pattern' }
  return undefined
}

function findInNumber(shape: Shape, value: unknown, path: Path): Finding | undefined {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
    return { path, says: 'cannot be infinity' }
  if (typeof value !== 'number' || Number.isNaN(value)) return ofType('number', 'must be a number', path)
  if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER)
    return { path, says: 'must be a safe number' }
  if (shape.type === 'integer' && !Number.isInteger(value)) return { path, says: 'must be an integer' }
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = shape
  if (minimum !== undefined && value < minimum)
    return { path, says: `must be greater than or equal to ${minimum}` }
  if (maximum !== undefined && value > maximum)
    return { path, says: `must be less than or equal to ${maximum}` }
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return { path, says: `must be greater than ${exclusiveMinimum}` }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    return { path, says: `must be less than ${exclusiveMaximum}` }
  if (multipleOf !== undefined && !hasAtMostDecimals(value, decimalsOf(multipleOf)!))
    return { path, says: `must have no more than ${decimalsOf(multipleOf)} decimal places` }
  return undefined
}

function findInArray(shape: Shape, value: unknown, path: Path): Finding | undefined {
  if (!Array.isArray(value)) return ofType('array', 'must be an array', path)
  if (shape.items) {
    for (const [index, item] of value.entries()) {
      const found = find(shape.items, item, [...path, index])
      if (found) return found
    }
  }
  if (value.length < (shape.minItems ?? 0))
    return { path, says: `must contain at least ${shape.minItems} items` }
  if (value.length > (shape.maxItems ?? Number.POSITIVE_INFINITY))
    return { path, says: `must contain less than or equal to ${shape.maxItems} items` }
  return undefined
}

function findInObject(shape: Shape, value: unknown, path: Path): Finding | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return ofType('object', 'must be of type object', path)
  const fields = new Map(Object.entries(value))
  const { properties = {}, required = [], additionalProperties: rest = true } = shape
  for (const [key, child] of Object.entries(properties)) {
    const childPath = [...path, key]
    if (!fields.has(key)) {
      if (required.includes(key)) return { path: childPath, says: 'is required' }
      continue
    }
    const found = find(child, fields.get(key), childPath)
    if (found) return found
  }
  for (const [key, item] of fields) {
    if (rest === true || Object.hasOwn(properties, key)) continue
    const found =
      rest === false ? { path: [...path, key], says: 'is not allowed' } : find(rest, item, [...path, key])
    if (found) return found
  }
  if (fields.size < (shape.minProperties ?? 0))
    return { path, says: `must have at least ${counted(shape.minProperties)}` }
  if (fields.size > (shape.maxProperties ?? Number.POSITIVE_INFINITY))
    return { path, says: `must have less than or equal to ${counted(shape.maxProperties)}` }
  return undefined
}

function counted(limit: number | undefined): string {
  return `${limit} key${limit === 1 ? '' : 's'}`
}

function listed(values: unknown[]): string {
  return `[${values.map(String).join(', ')}]`
}
