import type { FastifyRequest } from 'fastify'

/**
 * Whether the request accepts a content coding (`gzip`, `br`): the header names it, and not with weight 0, which
 * refuses it.
 */
export function acceptsEncoding({ headers }: FastifyRequest, coding: string): boolean {
  return String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((one) => {
      const [name, weight] = one.split(';').map((part) => part.trim().toLowerCase())
      return name === coding && !/^q=0(\.0*)?$/.test(weight ?? '')
    })
}
