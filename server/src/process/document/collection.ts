type Json = Record<string, unknown>
type Parameter = { in: string; name: string; required?: boolean; description?: string; example?: unknown }
type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security?: Json[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}
type Document = {
  info: { title: string; version: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
}

/** Tags of operations that only the console's own pages can call. */
const OF_PAGES = ['Console']

/**
 * The API document as a collection for Postman (format 2.1), which Bruno and Insomnia also import. It has a folder for
 * each tag, and a request with its example for each operation. Its variables are the address, a shop's key and the
 * operator's token.
 */
export function collectionOf(given: object): object {
  const { info, tags, paths } = given as Document
  const operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ path, method: verb.toUpperCase(), operation })),
  )
  const folders = tags.filter(({ name }) => !OF_PAGES.includes(name))
  return {
    info: {
      name: info.title,
      version: info.version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000' },
      { key: 'apiKey', value: '' },
      { key: 'operatorToken', value: '' },
    ],
    auth: headerOf('service-partner {{apiKey}}'),
    item: folders.map(({ name, description }) => ({
      name,
      description,
      item: operations
        .filter(({ operation }) => operation.tags[0] === name)
        .map(({ path, method, operation }) => requestOf(path, method, operation)),
    })),
  }
}

function headerOf(value: string): object {
  const parts = { key: 'x-api-key', value, in: 'header' }
  return { type: 'apikey', apikey: Object.entries(parts).map(([key, each]) => ({ key, value: each })) }
}

function requestOf(path: string, method: string, operation: Operation): object {
  const { operationId, summary, description, parameters = [], requestBody, security = [] } = operation
  const pathname = path.replaceAll(/{(\w+)}/g, ':$1')
  const at = (place: string) => parameters.filter((one) => one.in === place)
  const query = at('query').map(({ name, example, required, description }) => ({
    key: name,
    value: textOf(example),
    description,
    // Optional headers and parameters are disabled; users enable them as needed.
    disabled: required !== true,
  }))
  const variable = at('path').map(({ name, example }) => ({ key: name, value: textOf(example) }))
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  return {
    name: `${operationId}: ${summary}`,
    request: {
      method,
      description,
      ...authOf(security),
      header: type === undefined ? [] : [{ key: 'content-type', value: type }],
      url: {
        raw: `{{baseUrl}}${pathname}`,
        host: ['{{baseUrl}}'],
        path: pathname.slice(1).split('/'),
        query,
        variable,
      },
      ...(content !== undefined && { body: bodyOf(type!, content.example) }),
    },
  }
}

/** The authentication of a request. A shop's operations use the collection's own. */
function authOf(security: Json[]): object {
  if (security.length === 0) return { auth: { type: 'noauth' } }
  if (security.some((each) => 'shopKey' in each)) return {}
  return { auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{operatorToken}}' }] } }
}

function bodyOf(type: string, example: unknown): object {
  if (type.startsWith('image/')) return { mode: 'file', file: {} }
  const raw = type === 'application/json' ? JSON.stringify(example ?? {}, null, 2) : textOf(example)
  return { mode: 'raw', raw, ...(type === 'application/json' && { options: { raw: { language: 'json' } } }) }
}

function textOf(example: unknown): string {
  return example === undefined ? '' : String(example)
}
