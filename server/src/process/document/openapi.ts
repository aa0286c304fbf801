import swagger from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import type { App } from '../../http/app-type.ts'
import { scopesOfRoute } from '../../modules/access/scopes.ts'
import { idempotencyHeader } from '../../modules/idempotency/hook.ts'
import { errorResponses, type OperationKind } from './error-responses.ts'
import { ERROR_SCHEMAS } from './error-schemas.ts'
import { markNamed, takeNamed } from './named-schemas.ts'
import { documentedWebhooks } from './openapi-webhooks.ts'
import { asCallersSee, pathParameters } from './request-schemas.ts'
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
  paths: Record<string, Record<string, { responses?: Record<string, object> }>>
  components: { responses?: object; schemas: Record<string, unknown> }
}

/**
 * The API document, made from the schemas that validate. It is frozen once all routes stand; a route of
 * ours that the contract lacks carries `x-extension: true`.
 */
export async function apiDocument(app: App): Promise<void> {
  const responses: Record<string, object> = {}
  /** By operation, as the framework's own way of writing responses knows no references. */
  const errors = new Map<string, Record<string, object>>()
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Shopbell external API',
        version: '1',
        description:
          'Catalogue, orders, point of sale, news and template messages of a shop. Operations marked as extensions are additions to the contract E1 to E16.',
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
      },
    },
    transform: ({ schema, url, route }) => {
      const method = String(route.method)
      const hide = schema?.hide ?? method === 'HEAD'
      if (!hide) errors.set(`${method} ${url}`, errorResponses(kindOf(method, url, schema), responses))
      return {
        schema: {
          ...schema,
          ...requestOf(schema, url),
          ...(schema?.response !== undefined && { response: markNamed(schema.response) }),
          ...annotations(method, url, schema),
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
        // What a route states of a status itself is closer.
        if (operation === undefined) continue
        const stated = takeNamed(operation.responses, document.components.schemas) as typeof found
        operation.responses = { ...found, ...stated }
      }
      document.components.responses = sorted(responses)
      document.components.schemas = sorted(document.components.schemas)
      return document as object
    },
  })
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}

/** The parts of a route's schema that say what may be sent, each only where the route has it. */
function requestOf(schema: FastifySchema | undefined, url: string): object {
  const parts = {
    params: schema?.params ?? pathParameters(url),
    querystring: asCallersSee(schema?.querystring),
    body: asCallersSee(schema?.body),
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

function annotations(method: string, url: string, schema: FastifySchema | undefined): object {
  return { ...accessAnnotations(method, url), headers: headersOf(method, url, schema) }
}

/** The header that asks for the problems of fields one by one, of every operation. */
const detailHeader = {
  'x-validation-detail': {
    type: 'string' as const,
    enum: ['1'],
    description:
      'A 400 that names fields carries `validation.<source>.details` too: a list of `FieldProblem`',
  },
}

function headersOf(method: string, url: string, schema: FastifySchema | undefined): object {
  const keyed = takesIdempotencyKey(method, url, schema) ? idempotencyHeader.properties : {}
  return { type: 'object', properties: { ...keyed, ...detailHeader } }
}

function accessAnnotations(method: string, url: string): object {
  if (url.startsWith('/api/manage/')) return { security: [{ operatorToken: [] }] }
  if (!url.startsWith('/api/external/')) return { security: [] }
  const clause = CONTRACT[`${method} ${url}`]
  return {
    // One of these sets of scopes (G-60).
    security: scopesOfRoute(method, url).map((scopes) => ({ shopKey: [...scopes] })),
    ...(clause === undefined ? { 'x-extension': true } : { 'x-contract': clause }),
  }
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
}
