import type { FastifyRequest } from 'fastify'

/**
 * Whether a page of this service made the request, or no browser did. Browsers attach cookies to requests of other
 * sites' pages too. A page of `PUBLIC_URL` is ours whatever host name a proxy sends. Reads are not checked, because
 * other sites' pages cannot see the response.
 */
export function isSameSite(request: FastifyRequest, publicUrl: string | undefined): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true
  const { origin, host } = request.headers
  if (origin !== undefined && publicUrl !== undefined && origin === new URL(publicUrl).origin) return true
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
}
