import swagger from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import type { App } from '../../http/app-type.ts'
import { keptSaleHeaders } from '../../http/sale-age.ts'
import { scopesOfRoute } from '../../modules/access/scopes.ts'
import { idempotencyHeader } from '../../modules/idempotency/hook.ts'
import { errorExamples } from './error-examples.ts'
import { errorResponses, type OperationKind } from './error-responses.ts'
import { ERROR_SCHEMAS } from './error-schemas.ts'
import { INTRODUCTION } from './introduction.ts'
import { ifMatchHeader, ifNoneMatchHeader, withNotModified, withVersion } from './kept-answers.ts'
import { markBody, markRecords, takeNamed } from './named-schemas.ts'
import { documentedWebhooks } from './openapi-webhooks.ts'
import { type Shown, showRecorded } from './recorded-examples.ts'
import { callerSchema, defaultsInWords, pathParameters } from './request-schemas.ts'
import { TAGS } from './tags.ts'

/** The contract's own operations; every other one under /api/external is an extension. */
const CONTRACT: Record<string, string> = {
  'POST /api/external/notify-template/create': 'E1',
  'PATCH /api/external/notify-template/:id': 'E2',
  'GET /api/external/notify-template': 'E3',
  'GET /api/external/notify-template/:id': 'E4',
  'POST /api/external/notify-message/send': 'E5',
  'POST /api/external/chatapp/uid-notify/send-message': 'E6',
  'GET /api/external/notify-message/history': 'E7',
  'GET /api/external/v1/products': 'E8',
  'GET /api/external/v1/products/:id': 'E9',
  'POST /api/external/v1/products': 'E10',
  'PATCH /api/external/v1/products/:id': 'E11',
  'GET /api/external/v1/orders': 'E12',
  'GET /api/external/v1/orders/:id': 'E13',
  'POST /api/external/order/pos/create': 'E14',
  'POST /api/external/news/:id/items': 'E15',
  'PUT /api/external/news/:id': 'E16',
}

type Documented = {
  paths: Record<string, Record<string, { requestBody?: object; responses?: Record<string, object> }>>
  components: { responses?: object; schemas: Record<string, unknown> }
}

/**
 * Adds the API document, made from the validation schemas. It is frozen once all routes are registered. Routes beyond
 * the contract have `x-extension: true`.
 */
export async function apiDocument(app: App): Promise<void> {
  const responses: Record<string, object> = {}
  /** The error responses by operation, because the framework's own response schemas do not support references. */
  const errors = new Map<string, Record<string, object>>()
  const keepsAnswers = new Set<string>()
  const showsVersion = new Set<string>()
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Shopbell external API',
        version: '1',
        description: INTRODUCTION,
        contact: { name: 'The operator of this service' },
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: '/', description: 'The service that this document was read from' }],
      tags: TAGS,
      webhooks: documentedWebhooks(),
      components: {
        securitySchemes: {
          shopKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-api-key',
            description:
              '`service-partner <API_KEY>`: the word, one space, the key. An operation names the scopes that the key needs; without them 403 `SCOPE_MISSING`',
          },
          operatorToken: { type: 'http', scheme: 'bearer' },
        },
        schemas: ERROR_SCHEMAS,
        examples: errorExamples(),
      },
    },
    transform: ({ schema, url, route }) => {
      const method = String(route.method)
      const hide = schema?.hide ?? method === 'HEAD'
      const isKept = route.config?.reads !== undefined
      if (isKept) keepsAnswers.add(`${method} ${url}`)
      if (takesVersion(schema) || route.config?.showsVersion) showsVersion.add(`${method} ${url}`)
      if (!hide) errors.set(`${method} ${url}`, errorResponses(kindOf(method, url, schema), responses))
      return {
        schema: {
          ...schema,
          ...requestOf(schema, url),
          ...(schema?.response !== undefined && { response: markRecords(schema.response) }),
          ...annotations(method, url, schema, isKept),
          hide,
        },
        url,
      }
    },
    transformObject: (made) => {
      const document = ('openapiObject' in made ? made.openapiObject : {}) as Documented
      for (const [name, found] of errors) {
        const [method, url] = name.split(' ') as [string, string]
        const operation = document.paths[url.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
        if (operation === undefined) continue
        if (operation.requestBody !== undefined)
          operation.requestBody = takeNamed(operation.requestBody, document.components.schemas) as object
        // The route's own description of a status takes precedence.
        const stated = takeNamed(operation.responses, document.components.schemas) as typeof found
        const all = { ...found, ...stated }
        const tagged = keepsAnswers.has(name) ? withNotModified(all, responses) : all
        operation.responses = withStatusNames(showsVersion.has(name) ? withVersion(tagged) : tagged)
        showRecorded(operation as Shown)
      }
      document.components.responses = sorted(responses)
      document.components.schemas = sorted(document.components.schemas)
      return document as object
    },
  })
}

/** The parts of a route's schema that describe the request. A part is present only if the route has it. */
function requestOf(schema: FastifySchema | undefined, url: string): object {
  const parts = {
    params: schema?.params ?? pathParameters(url),
    querystring: callerSchema(schema?.querystring),
    body: defaultsInWords(callerSchema(markBody(schema?.body, schema?.operationId ?? ''))),
  }
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined))
}

function kindOf(method: string, url: string, schema: FastifySchema | undefined): OperationKind {
  return {
    method,
    url,
    hasQuery: schema?.querystring !== undefined,
    takesIdempotencyKey: takesIdempotencyKey(method, url, schema),
    own: schema?.errors ?? [],
  }
}

function takesIdempotencyKey(method: string, url: string, schema: FastifySchema | undefined): boolean {
  const isShopsWrite = url.startsWith('/api/external/') && /^(POST|PUT|PATCH)$/.test(method)
  return isShopsWrite || schema?.headers === idempotencyHeader
}

function takesVersion(schema: FastifySchema | undefined): boolean {
  return schema?.errors?.includes('RECORD_CHANGED') === true
}

function annotations(
  method: string,
  url: string,
  schema: FastifySchema | undefined,
  isKept: boolean,
): object {
  return { ...accessAnnotations(method, url), headers: headersOf(method, url, schema, isKept) }
}

/** The header that asks for details of field problems, which every operation accepts. */
const detailHeader = {
  'x-validation-detail': {
    type: 'string' as const,
    enum: ['1'],
    description:
      'A 400 that names fields carries `validation.<source>.details` too: a list of `FieldProblem`',
  },
}

function headersOf(method: string, url: string, schema: FastifySchema | undefined, isKept: boolean): object {
  const keyed = takesIdempotencyKey(method, url, schema) ? idempotencyHeader.properties : {}
  const held = isKept ? ifNoneMatchHeader : {}
  const known = takesVersion(schema) ? ifMatchHeader : {}
  const aged = schema?.takesSaleAge ? keptSaleHeaders : {}
  return { type: 'object', properties: { ...keyed, ...held, ...known, ...aged, ...detailHeader } }
}

function accessAnnotations(method: string, url: string): object {
  if (url.startsWith('/api/manage/')) return { security: [{ operatorToken: [] }] }
  if (!url.startsWith('/api/external/')) return { security: [] }
  const clause = CONTRACT[`${method} ${url}`]
  return {
    // The caller needs one of these sets of scopes (G-60).
    security: scopesOfRoute(method, url).map((scopes) => ({ shopKey: [...scopes] })),
    ...(clause === undefined ? { 'x-extension': true } : { 'x-contract': clause }),
  }
}

const SUCCESSES: Record<string, string> = { 201: 'Created', 202: 'Accepted' }

/** Describes each response by its status if its route does not describe it. */
function withStatusNames(responses: Record<string, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const isBare = (response as { description?: string }).description === 'Default Response'
      return [status, isBare ? { ...response, description: SUCCESSES[status] ?? 'OK' } : response]
    }),
  )
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
}
