import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** That the operation, or a field of its answer, goes away: days as `2027-01-31`; `see` tells what to use instead. */
    deprecation?: { since: string; sunset: string; see: string }
  }
}

const HALF_A_YEAR_DAYS = 182

/** onRoute. @throws Error, at the start, for a sunset less than half a year after the announcement (G-63). */
export function checkDeprecation(route: RouteOptions): void {
  const { deprecation } = route.config ?? {}
  if (deprecation === undefined) return
  const days = (Date.parse(deprecation.sunset) - Date.parse(deprecation.since)) / 86_400_000
  if (days >= HALF_A_YEAR_DAYS) return
  throw new Error(
    `${route.method} ${route.url}: ${days} days from its deprecation to its sunset, not half a year`,
  )
}

/** onRequest: announces what goes away, by RFC 9745 and RFC 8594 (G-63). */
export async function announceDeprecation(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { deprecation } = request.routeOptions.config
  if (deprecation === undefined) return
  reply.header('deprecation', `@${Date.parse(deprecation.since) / 1000}`)
  reply.header('sunset', new Date(deprecation.sunset).toUTCString())
  reply.header('link', `<${deprecation.see}>; rel="deprecation"`)
}
