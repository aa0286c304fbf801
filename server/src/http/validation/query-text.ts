import type { FastifyRequest } from 'fastify'
import { invalidQuery } from '../../errors.ts'
import { queryProperties } from '../ignored-parameters.ts'

/**
 * Checks that in the values of the operation's query parameters every `%` starts a percent-encoding of UTF-8. The framework's
 * parser keeps a text that it cannot decode, so a search would look for `%E0%A4%A`.
 * @throws ValidationError naming the first such parameter (G-08). Unknown parameters are ignored here too.
 */
export function assertDecodable(request: FastifyRequest): void {
  const { url } = request
  const start = url.indexOf('?')
  if (start === -1 || !url.includes('%', start)) return
  const known = queryProperties(request)
  for (const parameter of url.slice(start + 1).split('&')) {
    const [name = '', ...value] = parameter.split('=')
    if (decoded(value.join('=')) !== undefined) continue
    const field = decoded(name)
    if (field !== undefined && Object.hasOwn(known, field)) throw invalidQuery(field, 'query.encoding')
  }
}

/** Undefined for text that is not a percent-encoding of UTF-8. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
