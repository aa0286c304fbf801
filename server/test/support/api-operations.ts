import type { App } from '../../src/http/app-type.ts'
import { withoutReferences } from '../../src/lib/without-references.ts'

export type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  default?: unknown
  minimum?: number
  minItems?: number
  maxItems?: number
  minLength?: number
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  maxProperties?: number
  required?: string[]
}

type Operation = {
  parameters?: { in: string; name: string; schema?: Schema }[]
  requestBody?: { content?: Record<string, { schema?: Schema }> }
}

/** One operation of the API document, with the places in which its caller may send an id. */
export type ApiOperation = {
  name: string
  method: 'GET'
  path: string
  body: Schema | undefined
  ids: string[]
}

/**
 * The shops' operations from the API document, so that a new route is included automatically. `ids` are written as
 * `path:id`, `query:customerId`, `body:orderItems[].id`.
 */
export function apiOperations(app: App): ApiOperation[] {
  const document = app.swagger()
  const paths = document.paths as Record<string, Record<string, Operation>>
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/external/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const body = withoutReferences(operation.requestBody?.content?.['application/json']?.schema, document)
        const parameters = operation.parameters ?? []
        const ids = [
          ...[...path.matchAll(/\{([^}]+)\}/g)].map((match) => `path:${match[1]}`),
          ...parameters
            .filter((parameter) => parameter.in === 'query' && isIdName(parameter.name))
            .map((parameter) => `query:${parameter.name}`),
          ...(body === undefined ? [] : idsInBody(body, '')).map((place) => `body:${place}`),
        ]
        const upper = method.toUpperCase() as 'GET'
        return { name: `${upper} ${path}`, method: upper, path, body, ids }
      }),
    )
}

function isIdName(name: string): boolean {
  return /^(_?id|ids|category)$|Ids?$|IDs$/.test(name)
}

function idsInBody(schema: Schema, at: string): string[] {
  const inside = [
    ...(schema.anyOf ?? []).flatMap((member) => idsInBody(member, at)),
    ...(schema.items === undefined ? [] : idsInBody(schema.items, `${at}[]`)),
  ]
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const place = at === '' ? name : `${at}.${name}`
    // A field without a type is accepted and ignored (G-08).
    const isRead = child.type !== undefined || child.anyOf !== undefined
    if (isIdName(name) && isRead && child.items?.type !== 'object') inside.push(place)
    else inside.push(...idsInBody(child, place))
  }
  return inside
}

/** The smallest value that fits the schema, with only the required fields. */
export function sampleOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return sampleOf(schema.anyOf[0]!)
  switch (schema.type) {
    case 'string':
      return 'x'.repeat(schema.minLength ?? 1)
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return false
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items ?? {}))
    case 'object': {
      const required = schema.required ?? []
      return Object.fromEntries(required.map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]))
    }
    default:
      return null
  }
}

/** Every route of the router, documented or not. */
export function registeredRoutes(app: App): { method: string; url: string }[] {
  // The router prints one line per segment, indented by four characters per level.
  const segments: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const match = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line)
      if (match === null) return []
      const [, indent = '', segment = '', methods] = match
      const level = indent.length / 4
      segments.splice(level, segments.length, segment === '(empty root node)' ? '' : segment)
      return (methods?.split(', ') ?? []).map((method) => ({ method, url: segments.join('') }))
    })
}
