import type { FastifyRequest } from 'fastify'

/** At most this many names are listed, to keep the header within the limits of HTTP clients. */
const MAX_NAMES = 20
const MAX_CHARACTERS = 40

/**
 * The names of query parameters that the operation does not have, for the header `x-ignored-parameters` (G-08);
 * undefined when there are none. Each name is percent-encoded, because it may contain anything, and they are separated
 * by commas. A parameter without a value counts as not sent. Must be called before validation, which drops these
 * parameters.
 */
export function ignoredParameters(request: FastifyRequest): string | undefined {
  const known = queryProperties(request)
  const names = Object.entries(Object(request.query))
    .filter(([name, value]) => !Object.hasOwn(known, name) && sentValues(value).length > 0)
    .slice(0, MAX_NAMES)
    .map(([name]) => encodeURIComponent([...name.toWellFormed()].slice(0, MAX_CHARACTERS).join('')))
  return names.length === 0 ? undefined : names.join(', ')
}

/** The query parameters that the request's operation has. */
export function queryProperties({ routeOptions }: FastifyRequest): object {
  const schema = routeOptions.schema?.querystring as { properties?: object } | undefined
  return schema?.properties ?? {}
}

/** The non-empty values of a query parameter (G-08). */
export function sentValues(value: unknown): unknown[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return [value].flat().filter((one) => one !== '')
}
