import { invalidField } from '../../../errors.ts'
import { storageProblem } from '../../../http/validation/storable-text.ts'
import { type Shape, shapeOf } from '../../../http/validation/validation-shape.ts'
import { isBlank, MOST_MARKS } from '../../../lib/text/text.ts'
import type { ShapeRule } from '../../../texts/keys.ts'
import type { Path } from '../rules.ts'
import { type TemplateBody, templateBody } from '../schema.ts'

/** A violation of the shape. `values` and `sent` fill its text. `isKept`: the value can still be read. */
export type Breach = {
  path: Path
  rule: ShapeRule
  values?: Record<string, string | number>
  sent?: unknown
  isKept?: true
}
type ReportBreach = (breach: Breach) => void

/** The longest text that is checked, in UTF-16 units: four times the longest that create accepts. */
const MAX_TEXT_LENGTH = 20_000

/** The most unknown fields that a lint reports for one object. */
const MAX_UNKNOWN = 200

const SHAPE = shapeOf(templateBody, 'body')

/**
 * The body in the shape that create requires, whatever was sent: fields of a wrong type get a neutral value, so that
 * the rest can still be checked; unknown fields, and entries of a list beyond its limit, are left out. Every violation
 * is passed to `report`. Texts that are too long and numbers out of range are kept.
 * @throws ValidationError for a text of more than 20,000 characters.
 */
export function shapeBody(sent: object, report: ReportBreach): TemplateBody {
  return shaped(SHAPE, sent, [], report) as TemplateBody
}

function shaped(shape: Shape, value: unknown, path: Path, report: ReportBreach): unknown {
  if (shape.enum) {
    if (shape.enum.some((allowed) => allowed === value)) return value
    const all = shape.enum.map((allowed) => JSON.stringify(allowed)).join(', ')
    report({ path, rule: 'oneOf', values: { all }, sent: value })
    return neutral(shape)
  }
  switch (shape.type) {
    case 'string':
      return shapedText(shape, value, path, report)
    case 'integer':
      return shapedNumber(shape, value, path, report)
    case 'boolean':
      if (typeof value === 'boolean') return value
      report({ path, rule: 'boolean', sent: value })
      return neutral(shape)
    case 'array':
      return shapedList(shape, value, path, report)
    case 'object':
      return shapedObject(shape, value, path, report)
    default:
      return value
  }
}

function shapedText(shape: Shape, value: unknown, path: Path, report: ReportBreach): unknown {
  if (typeof value !== 'string') {
    report({ path, rule: 'text', sent: value })
    return neutral(shape)
  }
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = shape
  if (value.length > MAX_TEXT_LENGTH) {
    throw invalidField(path, 'string.max', { limit: Math.min(maxLength, MAX_TEXT_LENGTH) })
  }
  const isEmpty = value.length < minLength || (shape['x-not-blank'] && isBlank(value))
  if (isEmpty) report({ path, rule: 'empty' })
  if (value.length > maxLength) {
    report({ path, rule: 'tooLong', values: { most: maxLength, count: value.length }, isKept: true })
  }
  const unstorable = storageProblem(value)
  if (unstorable === undefined) return value
  if (unstorable.rule === 'string.marks') report({ path, rule: 'marks', values: { most: MOST_MARKS } })
  else report({ path, rule: 'unstorable' })
  return neutral(shape)
}

function shapedNumber(shape: Shape, value: unknown, path: Path, report: ReportBreach): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    report({ path, rule: 'integer', sent: value })
    return neutral(shape)
  }
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = shape
  if (value < minimum || value > maximum) {
    report({ path, rule: 'range', values: { least: minimum, most: maximum }, sent: value, isKept: true })
  }
  return value
}

function shapedList(shape: Shape, value: unknown, path: Path, report: ReportBreach): unknown {
  if (!Array.isArray(value)) {
    report({ path, rule: 'list', sent: value })
    return neutral(shape)
  }
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items = {} } = shape
  if (value.length < minItems) report({ path, rule: 'tooFew', values: { least: minItems }, isKept: true })
  if (value.length > maxItems) {
    report({ path, rule: 'tooMany', values: { most: maxItems, count: value.length }, isKept: true })
  }
  return value.slice(0, maxItems).map((item, index) => shaped(items, item, [...path, index], report))
}

function shapedObject(shape: Shape, value: unknown, path: Path, report: ReportBreach): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report({ path, rule: 'object', sent: value })
    return neutral(shape)
  }
  const { properties = {}, required = [] } = shape
  const sent = value as Record<string, unknown>
  const result: Record<string, unknown> = {}
  for (const [name, child] of Object.entries(properties)) {
    if (Object.hasOwn(sent, name)) {
      result[name] = shaped(child, sent[name], [...path, name], report)
    } else if (required.includes(name)) {
      report({ path: [...path, name], rule: missing(child) })
      result[name] = neutral(child)
    } else if (child.default !== undefined) {
      result[name] = child.default
    }
  }
  const known = Object.keys(properties).join(', ')
  const unknown = Object.keys(sent).filter((name) => !Object.hasOwn(properties, name))
  for (const name of unknown.slice(0, MAX_UNKNOWN)) {
    report({ path: [...path, name], rule: 'unknown', values: { known }, isKept: true })
  }
  return result
}

function missing({ type }: Shape): ShapeRule {
  switch (type) {
    case 'integer':
    case 'boolean':
    case 'array':
    case 'object':
      return `missing ${type}`
    default:
      return 'missing string'
  }
}

/** A neutral value of the right type, in place of an unreadable one. */
function neutral(shape: Shape): unknown {
  if (shape.default !== undefined) return shape.default
  if (shape.enum) return shape.enum[0]
  switch (shape.type) {
    case 'string':
      return ''
    case 'integer':
      return Math.max(shape.minimum ?? 0, 0)
    case 'boolean':
      return false
    case 'array':
      return []
    case 'object': {
      const { properties = {}, required = [] } = shape
      return Object.fromEntries(required.map((name) => [name, neutral(properties[name] ?? {})]))
    }
    default:
      return undefined
  }
}
