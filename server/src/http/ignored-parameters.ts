import type { FastifyRequest } from 'fastify'

/** Names beyond these are left out, to keep the header within the limits of HTTP clients. */
const MAX_NAMES = 20
const MAX_CHARACTERS = 40

/**
 * The names of a query's parameters that its operation does not have, for the header `x-ignored-parameters` (G-08):
 * each percent-encoded, as they may hold anything, with commas between them; undefined when there are none. A
 * parameter without a value was not sent. Called before validation, which drops them.
 */
export function ignoredParameters({ query, routeOptions }: FastifyRequest): string | undefined {
  const schema = routeOptions.schema?.querystring as { properties?: object } | undefined
  const known = schema?.properties ?? {}
  const names = Object.entries(Object(query))
    .filter(([name, value]) => !Object.hasOwn(known, name) && sentValues(value).length > 0)
    .slice(0, MAX_NAMES)
    .map(([name]) => encodeURIComponent([...name.toWellFormed()].slice(0, MAX_CHARACTERS).join('')))
  return names.length === 0 ? undefined : names.join(', ')
}

/** The values of a query's parameter that are not empty (G-08). */
export function sentValues(value: unknown): unknown[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return [value].flat().filter((one) => one !== '')
}
