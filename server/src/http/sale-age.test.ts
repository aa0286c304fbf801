import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import type { ValidationError } from '../errors.ts'
import { keptSaleOf } from './sale-age.ts'

const NOW = new Date('2026-11-26T03:00:00Z')
const soldAt = (age: string) =>
  keptSaleOf({ headers: { 'x-sale-age': age } } as unknown as FastifyRequest, NOW).soldAt

it('a sale was made so many seconds ago, to the millisecond', () => {
  expect(soldAt('0')).toEqual(NOW)
  expect(soldAt('90')).toEqual(new Date('2026-11-26T02:58:30Z'))
  expect(soldAt('90.125')).toEqual(new Date('2026-11-26T02:58:29.875Z'))
  expect(soldAt('0.0014')).toEqual(new Date('2026-11-26T02:59:59.999Z'))
})

it.each([
  ['1.', 'number.base'],
  ['1e3', 'number.base'],
  ['soon', 'number.base'],
  ['', 'number.base'],
  ['-1', 'number.min'],
  ['99999999999', 'number.max'],
])('an age of %j breaks %s', (age, rule) => {
  let refusal: ValidationError | undefined
  try {
    soldAt(age)
  } catch (error) {
    refusal = error as ValidationError
  }
  expect(refusal?.problems.map((problem) => problem.rule)).toEqual([rule])
})
