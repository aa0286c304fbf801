import type { FastifyRequest } from 'fastify'
import type { App } from './app-type.ts'

const KEY_PREFIX = /^service-partner (sb_live_.{4})/

/** At these levels the log has no lines for requests. */
const WITHOUT_REQUESTS = new Set(['warn', 'error', 'fatal', 'silent'])

/**
 * Writes one line for each request: method, route, status, time, shop and caller. The line never holds the address
 * itself, which may contain a phone number, nor a body. Pages, health and metrics are logged at debug level.
 */
export function logRequests(app: App): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (WITHOUT_REQUESTS.has(app.log.level)) return done()
    const { method } = request
    const route = request.routeOptions.url ?? 'none'
    const line = {
      requestId: request.id,
      method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      shop: shopOf(request, route),
      caller: callerOf(request),
    }
    if (/^\/(api|hooks)\//.test(route)) app.log.info(line, 'request')
    else app.log.debug(line, 'request')
    done()
  })
}

function shopOf(request: FastifyRequest, route: string): string | undefined {
  if (request.shop !== undefined) return request.shop.id
  const { id } = request.params as { id?: string }
  return route.startsWith('/api/manage/v1/shops/:id') && /^[0-9a-f]{24}$/i.test(id ?? '') ? id : undefined
}

/** The caller as the log names them: the start of the accepted key, as lists of keys show it, or `operator` or `member`. */
function callerOf(request: FastifyRequest): string | undefined {
  if (request.shop?.keyId !== undefined) return KEY_PREFIX.exec(String(request.headers['x-api-key']))?.[1]
  if (request.isOperator) return 'operator'
  return request.memberId === undefined ? undefined : 'member'
}
