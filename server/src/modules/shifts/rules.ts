import { Refused } from '../../errors.ts'
import { fold } from '../../lib/text/fold.ts'

/** What a shift took and gave back by one method, in đồng. */
export type MethodSum = { method: string; taken: number; refunded: number; payments: number }

/** How tills name the payments that lie in the drawer, folded: a method is any text (E14). */
const CASH = ['cash', 'tien mat']

export const isCash = (method: string) => CASH.includes(fold(method))

/** The cash that is in the drawer if nothing is missing, in đồng; below 0 where more was given out than was there. */
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
 * What may be booked as the expected cash: what whoever counts was shown.
 * @throws Refused SHIFT_CASH_CHANGED where a payment or a movement came since.
 */
export function assertExpected(shown: number, expected: number): void {
  if (shown !== expected) throw new Refused('SHIFT_CASH_CHANGED', { expected })
}
