import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Refused } from '../../errors.ts'
import { SCOPES, type Scope } from './keys/rules.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Sets of scopes; a key needs all the scopes of at least one set. */
    scopes?: (readonly Scope[])[]
  }
}

/**
 * The scopes that a key needs, by the beginning of the path; stated nowhere else (G-60). A GET needs `read` or all the scopes of
 * its group; any other method needs all the scopes of its group, even a POST that only computes. The service does not start if a
 * route matches no group.
 */
const GROUPS: [path: string, scopes: readonly Scope[]][] = [
  ['/api/external/v1/products', ['catalogue']],
  ['/api/external/v1/categories', ['catalogue']],
  ['/api/external/v1/images', ['catalogue']],
  ['/api/external/v1/warehouses', ['catalogue']],
  ['/api/external/v1/inventory', ['catalogue']],
  ['/api/external/v1/orders', ['orders']],
  ['/api/external/order', ['orders']],
  ['/api/external/v1/customers', ['orders']],
  // Customers and what they bought, used for sending them messages.
  ['/api/external/v1/audiences', ['orders', 'messages']],
  ['/api/external/v1/shifts', ['orders']],
  ['/api/external/v1/consents', ['messages']],
  ['/api/external/news', ['content']],
  ['/api/external/v1/news-drafts', ['content']],
  ['/api/external/notify-template', ['messages']],
  ['/api/external/notify-message/batches/to-audience', ['orders', 'messages']],
  ['/api/external/notify-message', ['messages']],
  ['/api/external/chatapp', ['messages']],
  ['/api/external/official-accounts', ['messages']],
  ['/api/external/wallet', ['wallet']],
  ['/api/external/v1/reports', ['catalogue', 'orders']],
  ['/api/external/overview', ['orders', 'messages', 'wallet']],
  // An endpoint receives every event of the shop, even after the key that created it is revoked.
  ['/api/external/webhooks', SCOPES],
  ['/api/external/events', SCOPES],
]

/** What a till has to read before it can sell: a GET of these also accepts `orders`. What goods cost is elsewhere. */
const GOODS = ['/api/external/v1/products', '/api/external/v1/categories', '/api/external/v1/warehouses']

/** Reads of records of several groups, whatever the method: any of these scopes is enough, and each record requires its own. */
const COPIES = ['/api/external/changes', '/api/external/exports']

/**
 * Sets of scopes; a key needs all the scopes of at least one set.
 * @throws Error for a path that is in no group.
 */
export function scopesOfRoute(method: string, path: string): (readonly Scope[])[] {
  const isUnder = (start: string) => path.startsWith(start) && /^($|[/.:])/.test(path.slice(start.length))
  if (COPIES.some(isUnder)) return [['catalogue'], ['orders'], ['content'], ['read']]
  const group = GROUPS.find(([start]) => isUnder(start))
  if (group === undefined)
    throw new Error(`${method} ${path} has no scope: add its path to modules/access/scopes.ts`)
  if (method !== 'GET' && method !== 'HEAD') return [group[1]]
  return GOODS.some(isUnder) ? [['read'], ['orders'], group[1]] : [['read'], group[1]]
}

/**
 * onRoute hook: determines once which scopes the route's key needs. @throws Error as {@link scopesOfRoute} does, at the start.
 */
export function addScopes(route: RouteOptions): void {
  route.config = { ...route.config, scopes: scopesOfRoute(String(route.method), route.url) }
}

/** @throws Refused COSTS_FOR_OWNERS (403) for a member who may not see what goods cost. */
export function assertSeesCosts({ shop }: FastifyRequest): void {
  if (!shop.seesCosts) throw new Refused('COSTS_FOR_OWNERS')
}

/**
 * onRequest hook, after the shop is known.
 * @throws Refused SCOPE_MISSING (403) naming scopes that would be enough.
 */
export function checkScopes(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const held = request.shop.scopes
  const accepted = request.routeOptions.config.scopes ?? [SCOPES]
  if (accepted.some((scopes) => scopes.every((scope) => held.includes(scope)))) {
    done()
    return
  }
  const missing = accepted.at(-1)!.filter((scope) => !held.includes(scope))
  throw new Refused('SCOPE_MISSING', { scope: missing.join(', ') })
}
