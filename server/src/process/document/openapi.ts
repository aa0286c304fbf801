import swagger from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import type { App } from '../../http/app-type.ts'
import { scopesOfRoute } from '../../modules/access/scopes.ts'
import { idempotencyHeader } from '../../modules/idempotency/hook.ts'
import { detailHeader, fieldProblem } from './openapi-field-problem.ts'
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

/**
 * The API document, made from the schemas that validate. It is frozen once all routes stand; a route of
 * ours that the contract lacks carries `x-extension: true`.
 */
export async function apiDocument(app: App): Promise<void> {
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
        schemas: { FieldProblem: fieldProblem },
      },
    },
    transform: ({ schema, url, route }) => ({
      schema: {
        ...schema,
        ...requestOf(schema, url),
        ...annotations(String(route.method), url),
        hide: schema?.hide ?? route.method === 'HEAD',
      },
      url,
    }),
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

function annotations(method: string, url: string): object {
  return { ...accessAnnotations(method, url), headers: headersOf(method, url) }
}

function headersOf(method: string, url: string): object {
  const isWrite = /^(POST|PUT|PATCH)$/.test(method)
  const properties = {
    ...(url.startsWith('/api/external/') && isWrite ? idempotencyHeader.properties : {}),
    ...detailHeader,
  }
  return { type: 'object', properties }
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
