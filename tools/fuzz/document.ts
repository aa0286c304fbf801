import { withoutReferences } from '../../server/src/lib/without-references.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type Schema = {
  type?: string
  enum?: Json[]
  const?: Json
  anyOf?: Schema[]
  default?: Json
  minimum?: number
  maximum?: number
  multipleOf?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}

/** An operation of the service's own API document. */
export type Operation = {
  /** `GET /api/external/news/{id}` */
  name: string
  method: string
  path: string
  /** The names in braces in the path. */
  params: string[]
  query: { name: string; schema: Schema; isRequired: boolean }[]
  takesIdempotencyKey: boolean
  /** Undefined if the operation takes no body, or none in JSON. */
  body: Schema | undefined
}

export type ApiDocument = {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: { in: string; name: string; schema?: Schema; required?: boolean }[]
        requestBody?: { content?: Record<string, { schema?: Schema }> }
        responses?: Record<string, { content?: Record<string, { schema?: unknown }> }>
      }
    >
  >
}

/** Whether a path, without its query, is one of the template's. */
export function isPathOf(template: string, path: string): boolean {
  return new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path)
}

/** All operations of the document, in its order: a new operation needs no change here. */
export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      params: [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]!),
      query: parameters
        .filter((one) => one.in === 'query')
        .map(({ name, schema = {}, required }) => ({
          name,
          schema,
          isRequired: required === true && schema.default === undefined,
        })),
      takesIdempotencyKey: parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key'),
      body: withoutReferences(requestBody?.content?.['application/json']?.schema, document),
    })),
  )
}
