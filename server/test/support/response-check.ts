import { Ajv, type ValidateFunction } from 'ajv'
import type { App } from '../../src/app.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Operation = { responses?: Record<string, { content?: Record<string, { schema?: Json }> }> }

const ajv = new Ajv({ strict: false, allErrors: true })
const compiled = new Map<string, ValidateFunction | undefined>()

/**
 * Fails when a sent body is not what the API document says of this route and status: a field missing,
 * of another type, or one the document does not know. Statuses the document leaves out are not looked at.
 */
export function checkResponse(app: App, method: string, url: string, status: number, body: unknown): void {
  const validate = validatorOf(app, method.toLowerCase(), url.split('?')[0]!, status)
  if (validate === undefined || validate(body)) return
  const problems = (validate.errors ?? [])
    .slice(0, 8)
    .map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`)
  throw new Error(`${method} ${url} ${status} does not keep to the API document:\n${problems.join('\n')}`)
}

function validatorOf(app: App, method: string, path: string, status: number): ValidateFunction | undefined {
  const paths = app.swagger().paths as Record<string, Record<string, Operation>>
  const matching = Object.keys(paths)
    .filter((template) => paths[template]?.[method] !== undefined && matches(template, path))
    .sort((a, b) => a.split('{').length - b.split('{').length)
  const template = matching[0]
  if (template === undefined) return undefined
  const key = `${method} ${template} ${status}`
  if (!compiled.has(key)) {
    const schema = paths[template]?.[method]?.responses?.[status]?.content?.['application/json']?.schema
    compiled.set(key, schema === undefined ? undefined : ajv.compile(closed(schema) as object))
  }
  return compiled.get(key)
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
