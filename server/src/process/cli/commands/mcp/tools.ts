import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { withoutReferences } from '../../../../lib/without-references.ts'

type Schema = Record<string, unknown>
type Parameter = { in: string; name: string; required?: boolean; description?: string; schema: Schema }
type Operation = {
  operationId: string
  summary: string
  description?: string
  security?: object[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, unknown> }>
}
/** The parts of an API document that tools need. */
export type ApiDocument = { paths: Record<string, Record<string, Operation>>; components: object }

/** An operation as a tool, and how to call it. */
export type OperationTool = {
  tool: Tool
  isRead: boolean
  method: string
  path: string
  /** The names of its query parameters. */
  query: string[]
}

/** The ids of the operations that check or compute something from a body, and save nothing. */
const READS_BY_POST = /^(count|lint|preview)[A-Z]/
const JSON_TYPE = 'application/json'
const IDEMPOTENCY_HEADER = 'idempotency-key'

/**
 * One tool for each operation that a shop's key may call, named by its operation id. Its arguments are the path and
 * query parameters, `body`, and for a write `idempotencyKey`. Operations with files are left out: uploads, and
 * downloads of exports.
 */
export function toolsOf(document: ApiDocument): OperationTool[] {
  return Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs)
      .filter(([, operation]) => isShops(operation) && !movesFiles(operation))
      .map(([verb, operation]) => toolOf(verb.toUpperCase(), path, operation, document)),
  )
}

function isShops({ security = [] }: Operation): boolean {
  return security.some((each) => 'shopKey' in each)
}

function movesFiles({ requestBody, responses }: Operation): boolean {
  const sent = Object.keys(requestBody?.content ?? {})
  const answered = Object.values(responses).flatMap(({ content = {} }) => Object.keys(content))
  return (sent.length > 0 && !sent.includes(JSON_TYPE)) || answered.includes('application/x-ndjson')
}

function toolOf(method: string, path: string, operation: Operation, document: ApiDocument): OperationTool {
  const { operationId, summary, description, parameters = [], requestBody } = operation
  const named = parameters.filter((one) => one.in === 'path' || one.in === 'query')
  const body = requestBody?.content[JSON_TYPE]?.schema
  const properties: Record<string, Schema> = Object.fromEntries(
    named.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
  )
  if (body !== undefined) properties.body = withoutReferences(body, document)
  if (parameters.some((one) => one.name.toLowerCase() === IDEMPOTENCY_HEADER))
    properties.idempotencyKey = {
      type: 'string',
      description:
        'Any text of your own for this call: repeated with the same text, the call takes effect only once',
    }
  const isRead = method === 'GET' || READS_BY_POST.test(operationId)
  return {
    tool: {
      name: operationId,
      title: summary,
      description: [summary, description].filter(Boolean).join('. '),
      inputSchema: {
        type: 'object',
        properties,
        required: [
          ...named.filter(({ required }) => required).map(({ name }) => name),
          ...(body === undefined ? [] : ['body']),
        ],
        additionalProperties: false,
      },
      annotations: {
        title: summary,
        readOnlyHint: isRead,
        destructiveHint: !isRead && method !== 'POST',
        openWorldHint: false,
      },
    },
    isRead,
    method,
    path,
    query: named.filter((one) => one.in === 'query').map(({ name }) => name),
  }
}
