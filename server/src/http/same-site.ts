import type { FastifyRequest } from 'fastify'

/**
 * Whether a browser made the request from a page of this service, or no browser made it: cookies go along with
 * requests that other sites' pages make. A page of `PUBLIC_URL` is ours whatever host a proxy names. Reading is left
 * alone, as other sites' pages cannot read the answer.
 */
export function isSameSite(request: FastifyRequest, publicUrl: string | undefined): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true
  const { origin, host } = request.headers
  if (origin !== undefined && publicUrl !== undefined && origin === new URL(publicUrl).origin) return true
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
}
