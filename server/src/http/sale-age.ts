import type { FastifyRequest } from 'fastify'
import { problemOf, ValidationError } from '../errors.ts'

declare module 'fastify' {
  interface FastifySchema {
    /** Takes {@link saleAgeHeader}. */
    takesSaleAge?: true
  }
}

const HEADER = 'x-sale-age'
/** Whole seconds of up to 31 years. */
const AGE = /^\d{1,9}$/

/** How long ago the sale was made that a till kept until it could send it, for the API document (G-40). */
export const saleAgeHeader = {
  [HEADER]: {
    type: 'string' as const,
    description:
      'For a sale that was made earlier: how many whole seconds ago. Its payment belongs to no shift that was opened since',
  },
}

/**
 * When the sale that is sent was made; undefined: now. It is sent as an age, as the clock of a till may be wrong.
 * @throws ValidationError for anything but whole seconds.
 */
export function soldAtOf({ headers }: FastifyRequest, now: Date): Date | undefined {
  const age = headers[HEADER]
  if (age === undefined) return undefined
  if (typeof age !== 'string' || !AGE.test(age))
    throw new ValidationError('headers', [problemOf([HEADER], 'number.integer')])
  return new Date(now.getTime() - Number(age) * 1_000)
}
