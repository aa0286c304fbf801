import { storageProblem } from '../../http/storable-text.ts'
import { type Shape, shapeOf } from '../../http/validation-shape.ts'
import type { Path } from './rules.ts'
import { type TemplateBody, templateBody } from './schema.ts'

/** `isKept`: the value can be read all the same. */
export type ReportShape = (path: Path, message: string, isKept?: 'kept') => void

const SHAPE = shapeOf(templateBody, 'body')

/**
 * The body with the shape that create asks for, whatever came: fields of a wrong type take a neutral value, so
 * that the rest can still be looked at, and unknown ones are left out, as are
 * entries of a list beyond its limit. Every breach goes to `report` with a
 * sentence that says how to mend it. Texts too long and numbers out of range are
 * kept.
 */
export function shapeBody(sent: object, report: ReportShape): TemplateBody {
  return shaped(SHAPE, sent, [], report) as TemplateBody
}

function shaped(shape: Shape, value: unknown, path: Path, report: ReportShape): unknown {
  if (shape.enum) {
    if (shape.enum.some((allowed) => allowed === value)) return value
    const all = shape.enum.map((allowed) => JSON.stringify(allowed)).join(', ')
    report(path, `Use one of ${all}; this is ${shown(value)}.`)
    return neutral(shape)
  }
  switch (shape.type) {
    case 'string':
      return shapedText(shape, value, path, report)
    case 'integer':
      return shapedNumber(shape, value, path, report)
    case 'boolean':
      if (typeof value === 'boolean') return value
      report(path, `Write true or false here; this is ${shown(value)}.`)
      return neutral(shape)
    case 'array':
      return shapedList(shape, value, path, report)
    case 'object':
      return shapedObject(shape, value, path, report)
    default:
      return value
  }
}

function shapedText(shape: Shape, value: unknown, path: Path, report: ReportShape): unknown {
  if (typeof value !== 'string') {
    report(path, `Write a text here; this is ${shown(value)}.`)
    return neutral(shape)
  }
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = shape
  if (value.length < minLength) report(path, 'Write something here, or leave the field out if it may be.')
  if (value.length > maxLength) {
    report(path, `Shorten this to at most ${maxLength} characters; it has ${value.length}.`, 'kept')
  }
  if (storageProblem(value) === undefined) return value
  report(path, 'Remove the NUL characters and broken surrogate pairs from this text.')
  return neutral(shape)
}

function shapedNumber(shape: Shape, value: unknown, path: Path, report: ReportShape): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    report(path, `Write a whole number here; this is ${shown(value)}.`)
    return neutral(shape)
  }
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = shape
  if (value < minimum || value > maximum) {
    report(path, `Use a whole number from ${minimum} to ${maximum}; this is ${value}.`, 'kept')
  }
  return value
}

function shapedList(shape: Shape, value: unknown, path: Path, report: ReportShape): unknown {
  if (!Array.isArray(value)) {
    report(path, `Write a list here; this is ${shown(value)}.`)
    return neutral(shape)
  }
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items = {} } = shape
  if (value.length < minItems) report(path, `Add entries: at least ${minItems} must be here.`, 'kept')
  if (value.length > maxItems)
    report(path, `Keep at most ${maxItems} entries; there are ${value.length}.`, 'kept')
  return value.slice(0, maxItems).map((item, index) => shaped(items, item, [...path, index], report))
}

function shapedObject(shape: Shape, value: unknown, path: Path, report: ReportShape): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report(path, `Write an object here; this is ${shown(value)}.`)
    return neutral(shape)
  }
  const { properties = {}, required = [] } = shape
  const sent = new Map<string, unknown>(Object.entries(value))
  const result: Record<string, unknown> = {}
  for (const [name, child] of Object.entries(properties)) {
    if (sent.has(name)) {
      result[name] = shaped(child, sent.get(name), [...path, name], report)
    } else if (required.includes(name)) {
      report([...path, name], `Add this field: ${NEEDED[child.type ?? 'string'] ?? 'a text'} is needed.`)
      result[name] = neutral(child)
    } else if (child.default !== undefined) {
      result[name] = child.default
    }
  }
  for (const name of sent.keys()) {
    if (Object.hasOwn(properties, name)) continue
    const known = Object.keys(properties).join(', ')
    report([...path, name], `Remove this field: it is none of those known here (${known}).`, 'kept')
  }
  return result
}

const NEEDED: Record<string, string> = {
  array: 'a list, which may be empty,',
  object: 'an object',
  boolean: 'true or false',
  integer: 'a whole number',
}

/** A value of the right type that stands for what cannot be read. */
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

function shown(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  const text = JSON.stringify(value)
  return text.length <= 60 ? text : `${[...text].slice(0, 57).join('')}…"`
}
