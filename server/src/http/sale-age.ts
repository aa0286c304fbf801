import type { FastifyRequest } from 'fastify'
import { problemOf, ValidationError } from '../errors.ts'
import type { PlainRule, RuleValues } from '../field-rules.ts'
import { isObjectId, normalizeObjectId, type ObjectId } from '../lib/object-id.ts'

declare module 'fastify' {
  interface FastifySchema {
    /** Whether the operation accepts {@link keptSaleHeaders}. */
    takesSaleAge?: true
  }
}

const AGE_HEADER = 'x-sale-age'
const SELLER_HEADER = 'x-sold-by'
/** Seconds: 31 years. */
const LONGEST_AGE = 999_999_999

/** The headers, for the API document, that describe a sale which a till kept until it could send it (G-40). */
export const keptSaleHeaders = {
  [AGE_HEADER]: {
    type: 'string' as const,
    description:
      'For a sale that was made earlier: how many seconds ago, to the millisecond (`90` or `90.125`). The order is dated then, and its payment belongs to no shift that was opened since',
  },
  [SELLER_HEADER]: {
    type: 'string' as const,
    description:
      'For a sale that was made earlier (`x-sale-age`) and is sent by somebody else: the id of the member who sold it. The order’s timeline names both',
  },
}

/** When the sale that is sent was made, and who made it. */
export type KeptSale = {
  /** Undefined: now. */
  soldAt: Date | undefined
  /** Undefined: the sender. Not checked yet for being a member of the shop. */
  soldBy: ObjectId | undefined
}

/**
 * When the sale was made and by whom. The header gives an age, because the till's clock may be wrong.
 * @throws ValidationError for an age that is not a number of seconds or out of range, and for a seller without an age or with a malformed id.
 */
export function keptSaleOf({ headers }: FastifyRequest, now: Date): KeptSale {
  const age = headers[AGE_HEADER]
  const soldBy = sellerOf(headers[SELLER_HEADER], age !== undefined)
  if (age === undefined) return { soldAt: undefined, soldBy }
  return { soldAt: new Date(now.getTime() - Math.round(secondsOf(age) * 1_000)), soldBy }
}

function secondsOf(age: string | string[]): number {
  const refused = (rule: PlainRule, values?: RuleValues) =>
    new ValidationError('headers', [problemOf([AGE_HEADER], rule, values)])
  if (typeof age !== 'string' || !/^-?\d+(\.\d+)?$/.test(age)) throw refused('number.base')
  const seconds = Number(age)
  if (seconds < 0) throw refused('number.min', { limit: 0 })
  if (seconds > LONGEST_AGE) throw refused('number.max', { limit: LONGEST_AGE })
  return seconds
}

/** The error for a seller who is not a member of the shop. */
export function unknownSeller(): ValidationError {
  return new ValidationError('headers', [problemOf([SELLER_HEADER], 'shop.unknown', { kind: 'member' })])
}

function sellerOf(given: string | string[] | undefined, isKept: boolean): ObjectId | undefined {
  if (given === undefined) return undefined
  const id = typeof given === 'string' ? normalizeObjectId(given) : ''
  if (!isObjectId(id)) throw unknownSeller()
  if (!isKept) throw new ValidationError('headers', [problemOf([AGE_HEADER], 'any.required')])
  return id
}
