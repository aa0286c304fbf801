import type { FastifyRequest } from 'fastify'
import { problemOf, ValidationError } from '../errors.ts'

declare module 'fastify' {
  interface FastifySchema {
    /** Whether the operation accepts {@link saleAgeHeader}. */
    takesSaleAge?: true
  }
}

const HEADER = 'x-sale-age'
/** Whole seconds, up to 31 years. */
const AGE = /^\d{1,9}$/

/** The header, for the API document, that says how long ago a sale was made which a till kept until it could send it (G-40). */
export const saleAgeHeader = {
  [HEADER]: {
    type: 'string' as const,
    description:
      'For a sale that was made earlier: how many whole seconds ago. Its payment belongs to no shift that was opened since',
  },
}

/**
 * The moment when the sale was made; undefined without the header. The header gives an age, because the till's clock
 * may be wrong.
 * @throws ValidationError for anything but whole seconds.
 */
export function soldAtOf({ headers }: FastifyRequest, now: Date): Date | undefined {
  const age = headers[HEADER]
  if (age === undefined) return undefined
  if (typeof age !== 'string' || !AGE.test(age))
    throw new ValidationError('headers', [problemOf([HEADER], 'number.integer')])
  return new Date(now.getTime() - Number(age) * 1_000)
}
