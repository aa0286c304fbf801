import { Ajv, type ValidateFunction } from 'ajv'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Response = { $ref?: string; content?: Record<string, { schema?: unknown }> }
export type Documented = {
  paths: Record<string, Record<string, { responses?: Record<string, Response> }>>
  components?: { schemas?: Record<string, unknown>; responses?: Record<string, Response> }
}

/**
 * Finds where a response differs from the API document for its route and status: a field that is missing, has another
 * type or is not in the document, or a status or error code that the document does not list for the operation. Routes
 * outside the document are not checked.
 */
export function responseProblems(): (
  document: Documented,
  sent: { method: string; url: string; status: number; body: unknown },
) => string[] {
  const ajv = new Ajv({ strict: false, allErrors: true })
  const compiled = new Map<string, ValidateFunction | 'unlisted' | undefined>()

  return (document, { method, url, status, body }) => {
    const { paths, components } = document
    const verb = method.toLowerCase()
    const path = url.split('?')[0]!
    const matching = Object.keys(paths)
      .filter((template) => paths[template]?.[verb] !== undefined && matches(template, path))
      .sort((a, b) => a.split('{').length - b.split('{').length)
    const template = matching[0]
    if (template === undefined) return []
    const key = `${verb} ${template} ${status}`
    if (!compiled.has(key)) {
      const listed = paths[template]?.[verb]?.responses?.[status]
      const name = listed?.$ref?.replace('#/components/responses/', '')
      const response = name === undefined ? listed : components?.responses?.[name]
      const schema = response?.content?.['application/json']?.schema
      // Included with the schema, where its references look for it.
      const whole = { ...(closed(schema as Json) as object), components: closed(components as Json) }
      compiled.set(
        key,
        response === undefined ? 'unlisted' : schema === undefined ? undefined : ajv.compile(whole),
      )
    }
    const validate = compiled.get(key)
    if (validate === 'unlisted') return [`the status is not listed: ${JSON.stringify(body).slice(0, 200)}`]
    if (validate === undefined || validate(body)) return []
    return (validate.errors ?? [])
      .slice(0, 8)
      .map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`)
  }
}

function matches(template: string, path: string): boolean {
  return new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path)
}

/** The schema with further properties forbidden in every object that has named properties. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed)
  if (schema === null || typeof schema !== 'object') return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  if (copy.properties !== undefined && copy.additionalProperties === undefined)
    copy.additionalProperties = false
  return copy
}
