import { withoutReferences } from '../../server/src/lib/without-references.ts'

type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: unknown
}
type Content = Record<string, { schema?: Schema }>
type Operation = {
  operationId?: string
  parameters?: { in: string; name: string; required?: boolean; schema?: Schema }[]
  requestBody?: { required?: boolean; content?: Content }
  responses?: Record<string, { content?: Content }>
}
export type ApiDocument = { paths: Record<string, Record<string, Operation>> }
export type Change = { operation: string; operationId: string | undefined; what: string }
type Direction = 'request' | 'response'

/**
 * The parts of the earlier document's API that no longer work for its callers: a removed operation, status, parameter
 * or field, something newly required, and a type or enum that accepts less in a request or returns more in a response.
 * New values in the enum of a response are allowed: callers must expect them.
 */
export function breakingChanges(earlier: ApiDocument, later: ApiDocument): Change[] {
  const before = operationsOf(earlier)
  const after = operationsOf(later)
  return [...before].flatMap(([name, old]) => {
    const now = after.get(name)
    const found = now === undefined ? ['is gone'] : changesOf(old, now)
    return found.map((what) => ({ operation: name, operationId: old.operationId, what }))
  })
}

/** The changes that no `- Breaking:` entry of the changelog names by operation id or by method and path. */
export function unannounced(changes: Change[], changelog: string): Change[] {
  const lines = changelog.split(/\n(?=- )/).filter((entry) => entry.startsWith('- Breaking:'))
  const isNamed = (name: string | undefined) =>
    name !== undefined && lines.some((line) => line.includes(`\`${name}\``))
  return changes.filter(({ operation, operationId }) => !isNamed(operation) && !isNamed(operationId))
}

function operationsOf(document: ApiDocument): Map<string, Operation> {
  const { paths } = document
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        withoutReferences(operation, document),
      ]),
    ),
  )
}

function changesOf(old: Operation, now: Operation): string[] {
  const renamed = old.operationId === now.operationId ? [] : [`is called ${now.operationId}`]
  return [...renamed, ...parameterChanges(old, now), ...bodyChanges(old, now), ...responseChanges(old, now)]
}

function parameterChanges(old: Operation, now: Operation): string[] {
  const before = parametersOf(old)
  const after = parametersOf(now)
  const kept = [...before].flatMap(([name, parameter]) => {
    const later = after.get(name)
    return later === undefined
      ? [`${name} is gone`]
      : schemaChanges(parameter.schema, later.schema, 'request', name)
  })
  const required = [...after].filter(([name, { required }]) => required && !before.get(name)?.required)
  return [...kept, ...required.map(([name]) => `${name} is required`)]
}

function parametersOf({ parameters = [] }: Operation) {
  return new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]))
}

function bodyChanges(old: Operation, now: Operation): string[] {
  if (now.requestBody?.required && !old.requestBody?.required) return ['a body is required']
  return contentChanges(old.requestBody?.content, now.requestBody?.content, 'request', 'body')
}

function responseChanges(old: Operation, now: Operation): string[] {
  return Object.entries(old.responses ?? {}).flatMap(([status, { content }]) => {
    const later = now.responses?.[status]
    return later === undefined
      ? [`${status} is gone`]
      : contentChanges(content, later.content, 'response', status)
  })
}

function contentChanges(
  old: Content | undefined,
  now: Content | undefined,
  direction: Direction,
  at: string,
): string[] {
  return Object.entries(old ?? {}).flatMap(([type, { schema }]) => {
    const later = now?.[type]
    return later === undefined
      ? [`${at} as ${type} is gone`]
      : schemaChanges(schema, later.schema, direction, at)
  })
}

function schemaChanges(
  old: Schema | undefined,
  now: Schema | undefined,
  direction: Direction,
  at: string,
): string[] {
  const before = flat(old)
  const after = flat(now)
  const [given, taken] = direction === 'request' ? [before, after] : [after, before]
  const types = given.types.filter((type) => taken.types.length > 0 && !taken.types.includes(type))
  const isAny = given.types.length === 0 && taken.types.length > 0
  const changes = [
    ...(types.length > 0 || isAny ? [`${at} is ${names(after.types)}, was ${names(before.types)}`] : []),
    ...(direction === 'request'
      ? requestFieldChanges(before, after, at)
      : responseFieldChanges(before, after, at)),
  ]
  for (const [name, field] of before.fields) {
    const later = after.fields.get(name)
    if (later !== undefined) changes.push(...schemaChanges(field, later, direction, `${at} ${name}`))
  }
  if (before.items !== undefined && after.items !== undefined)
    changes.push(...schemaChanges(before.items, after.items, direction, `${at}[]`))
  return changes
}

type Flat = ReturnType<typeof flat>

function requestFieldChanges(before: Flat, after: Flat, at: string): string[] {
  const { values } = after
  const lost = values === undefined ? [] : (before.values ?? []).filter((value) => !values.includes(value))
  const isNewlyListed = values !== undefined && before.values === undefined
  const gone = after.isClosed ? [...before.fields.keys()].filter((name) => !after.fields.has(name)) : []
  return [
    ...lost.map((value) => `${at} does not take ${value}`),
    ...(isNewlyListed ? [`${at} takes only ${values.join(', ')}`] : []),
    ...gone.map((name) => `${at} ${name} is gone`),
    ...after.required
      .filter((name) => !before.required.includes(name))
      .map((name) => `${at} ${name} is required`),
  ]
}

function responseFieldChanges(before: Flat, after: Flat, at: string): string[] {
  const gone = [...before.fields.keys()].filter((name) => !after.fields.has(name))
  const unsure = before.required.filter((name) => after.fields.has(name) && !after.required.includes(name))
  return [
    ...gone.map((name) => `${at} ${name} is gone`),
    ...unsure.map((name) => `${at} ${name} may be missing`),
  ]
}

/** A schema with its alternatives merged. No types or values means any. */
function flat(schema: Schema = {}) {
  const parts = schema.anyOf ?? [schema]
  const types = parts.map(({ type, const: value }) => type ?? (value === undefined ? [] : [typeof value]))
  const lists = parts.map((part) => part.enum ?? (part.const === undefined ? undefined : [part.const]))
  const [required = [], ...further] = parts.map((part) => part.required ?? [])
  return {
    types: types.some((type) => type.length === 0) ? [] : types.flat(),
    values: lists.every((list) => list !== undefined)
      ? lists.flat().map((value) => JSON.stringify(value))
      : undefined,
    fields: new Map(parts.flatMap((part) => Object.entries(part.properties ?? {}))),
    required: required.filter((name) => further.every((others) => others.includes(name))),
    items: parts.find((part) => part.items !== undefined)?.items,
    isClosed: parts.every((part) => part.additionalProperties === false),
  }
}

function names(types: string[]): string {
  return types.length === 0 ? 'anything' : types.join(' or ')
}
