/** A value of a closed list. */
export type Scalar = string | number | boolean | null

/**
 * A route's schema, reduced to the keywords that validation knows. It is plain JSON Schema: Ajv compiles it and
 * `firstProblem` walks it, so both read the same object and cannot disagree.
 */
export type Shape = {
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object'
  default?: unknown
  enum?: Scalar[]
  anyOf?: Shape[]
  minLength?: number
  'x-not-blank'?: true
  'x-most-words'?: number
  maxLength?: number
  pattern?: string
  format?: 'date-time' | 'uri' | 'uri-reference'
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
  items?: Shape
  minItems?: number
  maxItems?: number
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: boolean | Shape
  minProperties?: number
  maxProperties?: number
}

const FORMATS = ['date-time', 'uri', 'uri-reference']

type Json = Record<string, unknown>

const COPIED = [
  'type',
  'default',
  'enum',
  'minLength',
  'x-not-blank',
  'x-most-words',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'required',
  'minProperties',
  'maxProperties',
]
const TRANSLATED = ['const', 'anyOf', 'items', 'properties', 'additionalProperties', 'patternProperties']
const ANNOTATIONS = [
  'title',
  'description',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$id',
  '$schema',
  '$comment',
]
const KNOWN = new Set([...COPIED, ...TRANSLATED, ...ANNOTATIONS])

/** The number of decimals that a `multipleOf` of 0.1, 0.01 … allows; undefined for any other. */
export function decimalsOf(multipleOf: number): number | undefined {
  const decimals = /^(?:0\.(0*1)|1e-(\d+))$/.exec(String(multipleOf))
  return decimals ? (decimals[1]?.length ?? Number(decimals[2])) : undefined
}

/** The pattern that `Type.Record(Type.String(), …)` writes for "any key". It does not match keys with a line break. */
const ANY_KEY = '^.*$'

/**
 * Returns the shape that a TypeBox schema describes. Literals and unions of literals become `enum`. Numbers are bounded
 * by the safe range, because Joi refuses numbers that JavaScript cannot hold exactly. A string with a pattern or format
 * must not be empty unless it has `minLength: 0`.
 * @throws Error at start-up for a keyword that has no message here, so that no rule is silently skipped.
 */
export function shapeOf(schema: unknown, at = 'schema'): Shape {
  if (typeof schema !== 'object' || schema === null) throw new Error(`${at}: expected a JSON Schema object`)
  const source = schema as Json
  for (const keyword of Object.keys(source)) {
    if (!KNOWN.has(keyword) && !keyword.startsWith('x-'))
      throw new Error(`${at}: unsupported keyword "${keyword}"`)
  }
  const shape: Shape = {}
  for (const keyword of COPIED)
    if (source[keyword] !== undefined) Object.assign(shape, { [keyword]: source[keyword] })
  if (source.const !== undefined) shape.enum = [source.const as Scalar]
  if (source.anyOf !== undefined)
    Object.assign(
      shape,
      unionOf((source.anyOf as unknown[]).map((member, i) => shapeOf(member, `${at}.anyOf[${i}]`))),
    )
  if (source.items !== undefined) shape.items = shapeOf(source.items, `${at}.items`)
  if (source.properties !== undefined) {
    shape.properties = {}
    for (const [key, child] of Object.entries(source.properties as Json))
      shape.properties[key] = shapeOf(child, `${at}.${key}`)
  }
  const rest = anyKeySchema(source, at) ?? source.additionalProperties
  if (rest !== undefined)
    shape.additionalProperties = typeof rest === 'boolean' ? rest : shapeOf(rest, `${at}.*`)
  return completed(shape, at)
}

function anyKeySchema(source: Json, at: string): unknown {
  if (source.patternProperties === undefined) return undefined
  const entries = Object.entries(source.patternProperties as Json)
  const [pattern, schema] = entries[0] ?? []
  if (entries.length !== 1 || pattern !== ANY_KEY) throw new Error(`${at}: unsupported patternProperties`)
  return schema
}

/** A union of literals is one closed list, as in Joi's messages, which list `null` among the values. */
function unionOf(members: Shape[]): Pick<Shape, 'enum' | 'anyOf'> {
  const others = members.filter((member) => member.type !== 'null')
  const isClosed = others.length > 0 && others.every((member) => member.enum)
  if (!isClosed) return { anyOf: members }
  return { enum: members.flatMap((member) => member.enum ?? [null]) }
}

function completed(shape: Shape, at: string): Shape {
  if (shape.enum) delete shape.type
  if (shape.pattern !== undefined && typeof shape.pattern !== 'string')
    throw new Error(`${at}: write the pattern as text`)
  if (shape.format !== undefined && !FORMATS.includes(shape.format))
    throw new Error(`${at}: unsupported format "${shape.format}"`)
  if (shape.pattern !== undefined || shape.format !== undefined) shape.minLength ??= 1
  if (shape.multipleOf !== undefined && decimalsOf(shape.multipleOf) === undefined)
    throw new Error(`${at}: multipleOf must be 0.1, 0.01, …`)
  if (shape.type === 'number' || shape.type === 'integer') {
    shape.minimum ??= Number.MIN_SAFE_INTEGER
    shape.maximum ??= Number.MAX_SAFE_INTEGER
  }
  // A missing field with a default is never reported, whether or not Ajv has already filled it in.
  if (shape.required) shape.required = shape.required.filter((key) => !hasDefault(shape.properties?.[key]))
  return shape
}

function hasDefault(shape: Shape | undefined): boolean {
  return shape?.default !== undefined
}
