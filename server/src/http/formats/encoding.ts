import type { FastifyRequest } from 'fastify'

/** Whether the request accepts responses in a coding (`gzip`, `br`): named, and without the weight 0 that refuses it. */
export function acceptsEncoding({ headers }: FastifyRequest, coding: string): boolean {
  return String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((one) => {
      const [name, weight] = one.split(';').map((part) => part.trim().toLowerCase())
      return name === coding && !/^q=0(\.0*)?$/.test(weight ?? '')
    })
}
