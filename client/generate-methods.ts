import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Writes `src/methods.ts`. For each operation of the API document it has the group (the tag), the name (the operation
 * id without the tag's words) and the request; for a list also the place of its records and the query for the longest
 * page; for an upload also the media type.
 */
type Schema = { $ref?: string; type?: string; properties?: Record<string, Schema>; maximum?: number }
type Parameter = { name: string; in: string; schema: Schema }
type Operation = {
  operationId: string
  tags: [string]
  summary?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, unknown> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

const [out = 'src/methods.ts'] = process.argv.slice(2)
const document = JSON.parse(readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8'))
/** Groups that are left out: probes for machines, and the operations of the console's pages. */
const LEFT_OUT = ['Service', 'Console']
/** The parameters of a list that set the length of a page. */
const SIZES = ['limit', 'size', 'offset']

const groups = new Map<string, Map<string, { request: string; text: string }>>()
for (const [path, operations] of Object.entries<Record<string, Operation>>(document.paths)) {
  for (const [verb, operation] of Object.entries(operations)) {
    const [tag] = operation.tags
    if (LEFT_OUT.includes(tag)) continue
    const group = camelCase(tag)
    const methods = groups.get(group) ?? new Map<string, { request: string; text: string }>()
    groups.set(group, methods)
    const name = methodName(operation.operationId, tag)
    if (methods.has(name)) throw new Error(`two operations are named ${group}.${name}`)
    const request = `${verb.toUpperCase()} ${path}${listOf(operation)}${uploadOf(operation)}`
    methods.set(name, { request, text: `    /** ${operation.summary} */\n    ${name}: '${request}',\n` })
  }
}
// Methods with the same beginning are next to each other, which makes the package smaller.
const sorted = [...groups].map(
  ([group, methods]) => [group, [...methods].sort(([a], [b]) => (a < b ? -1 : 1))] as const,
)
const entries = sorted.map(
  ([group, methods]) => `  ${group}: {\n${methods.map(([, { text }]) => text).join('')}  },\n`,
)
const table = sorted.map(([group, methods]) => tableOf(group, methods)).join('\n\n')
writeFileSync(
  out,
  `// Generated from docs/openapi.json by client/generate-methods.ts: npm run openapi

/** What the types are made from. */
export const METHODS = {
${entries.join('')}} as const

/** The same in few bytes, which the package is made from: see \`readTable\`. */
export const TABLE = \`
${table}\`
`,
)

/**
 * A group's name and the common beginning of its paths, then a line for each method with the rest of its path, its verb
 * (left out for `GET`) and its name (left out if it is the path's last word). Ordered by path, which makes the package 100 bytes smaller than by name.
 */
function tableOf(group: string, methods: [name: string, { request: string }][]): string {
  const lines = methods.map(([name, { request }]) => {
    const [verb, path, more] = request.split(' ') as [string, string, string | undefined]
    return { name, verb: verb === 'GET' ? '' : verb, path: path.replace('/api/external/', ''), more }
  })
  let base = lines[0]!.path
  while (!lines.every(({ path }) => path.startsWith(base))) base = base.slice(0, -1)
  const rows = lines.map(({ name, verb, path, more }) => [
    path.slice(base.length),
    verb,
    name === path.slice(base.length).split('/').at(-1) ? '' : name,
    ...(more === undefined ? [] : [more]),
  ])
  return [`${group} ${base}`, ...rows.map((row) => row.join(' ').trimEnd()).sort()].join('\n')
}

/** `createPosOrder` of Orders: `createPos`; `attachProductsToNews` of News: `attachProducts`. */
function methodName(operationId: string, tag: string): string {
  const nouns = tag.toLowerCase().split(' ')
  const isNoun = (word: string) => nouns.some((noun) => singular(noun) === singular(word.toLowerCase()))
  const words = operationId.split(/(?=[A-Z])/).filter((word) => !isNoun(word))
  if (/^(To|From)$/.test(words.at(-1)!) && operationId.endsWith(camelCase(` ${tag}`))) words.pop()
  return words.join('')
}

/** ` data.products?limit=50&total=none`; empty for an operation that is not a list. */
function listOf({ operationId, parameters = [], responses }: Operation): string {
  if (!/^list[A-Z]/.test(operationId)) return ''
  const records = arrayIn(responses[200]!.content!['application/json']!.schema)
  const sizes = parameters.filter(({ name }) => SIZES.includes(name))
  const query = sizes.map(({ name, schema }) => `${name}=${schema.maximum}`)
  // Lists are read by cursor: with numbered pages, a record could appear twice or be missed when others are created or
  // deleted.
  if (query.length > 0 && !parameters.some(({ name }) => name === 'cursor'))
    throw new Error(`${operationId} has pages but no cursor`)
  // Counting all matches for every page would cost the service more than the page.
  if (parameters.some(({ name }) => name === 'total')) query.push('total=none')
  return ` ${records}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

/** ` text/csv`; empty for an operation that accepts JSON or nothing. */
function uploadOf({ requestBody }: Operation): string {
  const types = Object.keys(requestBody?.content ?? {})
  return types.length === 0 || types.includes('application/json') ? '' : ` ${types[0]}`
}

/** The place of the first array in a response: `data.products`. */
function arrayIn(schema: Schema): string {
  const { properties = {} } = schema.$ref
    ? document.components.schemas[schema.$ref.split('/').at(-1)!]
    : schema
  for (const [name, property] of Object.entries<Schema>(properties)) {
    if (property.type === 'array') return name
    if (name === 'data') return `data.${arrayIn(property)}`
  }
  throw new Error('a list without an array')
}

function camelCase(text: string): string {
  return text.toLowerCase().replace(/ (\w)/g, (_match, letter: string) => letter.toUpperCase())
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/s$/, '')
}
