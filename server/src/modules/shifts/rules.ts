import { Refused } from '../../errors.ts'
import { fold } from '../../lib/text/fold.ts'

/** What a shift took and gave back by one method, in đồng. */
export type MethodSum = { method: string; taken: number; refunded: number; payments: number }

/** The most payment records that a shift shows. */
export const MOST_PAYMENTS = 500

/** The names, folded, that POS systems use for payments in cash: a method is any text (E14). */
const CASH = ['cash', 'tien mat']

const isCash = (method: string) => CASH.includes(fold(method))

/** The cash that the drawer should have, in đồng; negative if more was given out than was there. */
export function expectedCash(shift: {
  openingCash: number
  cashIn: number
  cashOut: number
  methods: readonly MethodSum[]
}): number {
  const cash = shift.methods.filter(({ method }) => isCash(method))
  const taken = cash.reduce((sum, method) => sum + method.taken - method.refunded, 0)
  return shift.openingCash + shift.cashIn - shift.cashOut + taken
}

/**
 * Checks that the expected cash is still what the person who counted was shown.
 * @throws Refused SHIFT_CASH_CHANGED if there was a payment or cash movement since.
 */
export function assertExpected(shown: number, expected: number): void {
  if (shown !== expected) throw new Refused('SHIFT_CASH_CHANGED', { expected: { vnd: expected } })
}
