import { withoutReferences } from '../../src/lib/without-references.ts'
import { checkResponse } from '../support/response-check.ts'
import { OPERATOR_TOKEN, type Service } from '../support/service.ts'
import { steady } from './steady.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Body = any
export type Asked = {
  params?: Record<string, string>
  query?: Record<string, string | number>
  body?: unknown
  /** The media type of a body that is sent unchanged. */
  type?: string
  headers?: Record<string, string>
  /** The response replaces one that was already recorded. */
  isLatest?: boolean
}
/** Calls an operation by its id, with the shop's key or the operator's token. Fails on any status that is not 2xx. */
export type Call = (operationId: string, asked?: Asked) => Promise<Body>
export type Example = {
  params?: Record<string, string>
  query?: Record<string, string | number>
  body?: unknown
  responses: Record<string, unknown>
}
type Operation = {
  operationId: string
  responses: Record<string, { content?: Record<string, unknown> }>
  requestBody?: { content: Record<string, unknown> }
}

/** Calls operations of a running service, and keeps the first request of each and the first response with each status. */
export function recorder(running: Service) {
  const document = running.app.swagger() as unknown as { paths: Record<string, Record<string, Operation>> }
  const operations = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        operation.operationId,
        { path, method, ...withoutReferences(operation, document) },
      ]),
    ),
  )
  const examples: Record<string, Example> = {}
  const key = { shop: '' }
  /** The session of the person who signed in last. */
  let cookie = ''

  const call: Call = async (operationId, asked = {}) => {
    const operation = operations.get(operationId)
    if (operation === undefined) throw new Error(`no operation ${operationId}`)
    const { params = {}, query = {}, body, type = 'application/json', isLatest = false } = asked
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name]!)
    const search = new URLSearchParams(query as Record<string, string>)
    const url = search.size === 0 ? path : `${path}?${search}`
    const isRaw = type !== 'application/json'
    const answer = await running.app.inject({
      method: operation.method.toUpperCase() as 'GET',
      url,
      headers: {
        ...credentials(path, { apiKey: key.shop, cookie }),
        ...(body === undefined ? {} : { 'content-type': type }),
        ...asked.headers,
      },
      ...(body === undefined ? {} : { payload: isRaw ? (body as Buffer) : JSON.stringify(body) }),
    })
    const status = answer.statusCode
    if (answer.cookies.length > 0)
      cookie = answer.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
    if (status >= 300) throw new Error(`${operationId}: ${status} ${answer.body}`)
    const answerType = String(answer.headers['content-type'])
    const isJson = answerType.startsWith('application/json')
    const received: Body = isJson ? answer.json() : answer.body
    if (isJson) checkResponse(running.app, operation.method.toUpperCase(), url, status, received)
    const request = {
      ...(Object.keys(params).length > 0 && { params }),
      ...(Object.keys(query).length > 0 && { query }),
      ...(body !== undefined && !Buffer.isBuffer(body) && { body }),
    }
    const example = examples[operationId] ?? { ...request, responses: {} }
    examples[operationId] = example
    const isText = isJson || /^text\/|ndjson/.test(answerType)
    if (isText && (isLatest || example.responses[status] === undefined)) example.responses[status] = received
    return received
  }

  return {
    call,
    /** Sets the key for later calls of a shop's operations. */
    useKey: (apiKey: string) => {
      key.shop = apiKey
    },
    /** The recorded examples in the form for the API document: without values that change from one run to the next. */
    examples: () => steady(examples),
    /** The requests and responses that the document describes and that were not recorded. */
    missing: (): string[] =>
      [...operations.values()].flatMap(({ operationId, responses, requestBody }) => {
        const example = examples[operationId]
        const takesJson = requestBody?.content['application/json'] !== undefined
        const statuses = Object.keys(responses).filter(
          (status) => status.startsWith('2') && isShown(responses[status]!),
        )
        return [
          ...(takesJson && example?.body === undefined ? [`${operationId} request`] : []),
          ...statuses
            .filter((status) => example?.responses[status] === undefined)
            .map((status) => `${operationId} ${status}`),
        ]
      }),
  }
}

/** Whether a response is text. */
function isShown({ content = {} }: { content?: Record<string, unknown> }): boolean {
  return Object.keys(content).some((type) => type === 'application/json' || /^text\/|ndjson/.test(type))
}

function credentials(path: string, given: { apiKey: string; cookie: string }): Record<string, string> {
  if (path.startsWith('/api/external/')) return { 'x-api-key': `service-partner ${given.apiKey}` }
  if (path.startsWith('/api/manage/')) return { authorization: `Bearer ${OPERATOR_TOKEN}` }
  return given.cookie === '' ? {} : { cookie: given.cookie }
}
