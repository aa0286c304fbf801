import { Ajv, type ValidateFunction } from 'ajv'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type DocumentedPaths = Record<
  string,
  Record<string, { responses?: Record<string, { content?: Record<string, { schema?: unknown }> }> }>
>

/**
 * Finds what in a sent body is not as an API document says of its route and status: a field that is missing, of another
 * type, or one that the document does not know. Nothing is said of statuses and routes that the document leaves out.
 */
export function responseProblems(): (
  paths: DocumentedPaths,
  sent: { method: string; url: string; status: number; body: unknown },
) => string[] {
  const ajv = new Ajv({ strict: false, allErrors: true })
  const compiled = new Map<string, ValidateFunction | undefined>()

  return (paths, { method, url, status, body }) => {
    const verb = method.toLowerCase()
    const path = url.split('?')[0]!
    const matching = Object.keys(paths)
      .filter((template) => paths[template]?.[verb] !== undefined && matches(template, path))
      .sort((a, b) => a.split('{').length - b.split('{').length)
    const template = matching[0]
    if (template === undefined) return []
    const key = `${verb} ${template} ${status}`
    if (!compiled.has(key)) {
      const schema = paths[template]?.[verb]?.responses?.[status]?.content?.['application/json']?.schema
      compiled.set(key, schema === undefined ? undefined : ajv.compile(closed(schema as Json) as object))
    }
    const validate = compiled.get(key)
    if (validate === undefined || validate(body)) return []
    return (validate.errors ?? [])
      .slice(0, 8)
      .map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`)
  }
}

function matches(template: string, path: string): boolean {
  return new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path)
}

/** The schema with every object of named properties closed to further ones. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed)
  if (schema === null || typeof schema !== 'object') return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  if (copy.properties !== undefined && copy.additionalProperties === undefined)
    copy.additionalProperties = false
  return copy
}
