import type { FastifyRequest, RouteOptions } from 'fastify'
import { Refused } from '../../errors.ts'
import { SCOPES, type Scope } from './keys/rules.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The sets of scopes of which a key needs one, whole. */
    scopes?: (readonly Scope[])[]
  }
}

/**
 * What a key needs, by the path's beginning; the one place that says so (G-60). A GET needs `read` or all the scopes
 * of its group, anything else all the scopes of its group: also a POST that only computes. With a route that begins like
 * none of these the service does not start.
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
  ['/api/external/news', ['content']],
  ['/api/external/notify-template', ['messages']],
  ['/api/external/notify-message', ['messages']],
  ['/api/external/chatapp', ['messages']],
  ['/api/external/official-accounts', ['messages']],
  ['/api/external/wallet', ['wallet']],
  ['/api/external/overview', ['orders', 'messages', 'wallet']],
  // An endpoint gets every event of the shop, also after the key is revoked.
  ['/api/external/webhooks', SCOPES],
]

/**
 * The sets of scopes of which a key needs one, whole.
 * @throws Error for a path that no group holds.
 */
export function scopesOfRoute(method: string, path: string): (readonly Scope[])[] {
  const group = GROUPS.find(
    ([start]) => path.startsWith(start) && /^($|[/.:])/.test(path.slice(start.length)),
  )
  if (group === undefined)
    throw new Error(`${method} ${path} has no scope: add its path to modules/access/scopes.ts`)
  return method === 'GET' || method === 'HEAD' ? [['read'], group[1]] : [group[1]]
}

/** onRoute: what the route's key needs, found once. @throws Error as {@link scopesOfRoute} does, at the start. */
export function addScopes(route: RouteOptions): void {
  route.config = { ...route.config, scopes: scopesOfRoute(String(route.method), route.url) }
}

/**
 * onRequest, once the shop is known.
 * @throws Refused SCOPE_MISSING (403) naming the scopes that would do.
 */
export async function checkScopes(request: FastifyRequest): Promise<void> {
  const held = request.shop.scopes
  const accepted = request.routeOptions.config.scopes ?? [SCOPES]
  if (accepted.some((scopes) => scopes.every((scope) => held.includes(scope)))) return
  const missing = accepted.at(-1)!.filter((scope) => !held.includes(scope))
  throw new Refused('SCOPE_MISSING', { scope: missing.join(', ') })
}
