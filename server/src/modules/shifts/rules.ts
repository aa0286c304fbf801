import { Refused } from '../../errors.ts'

/** What a shift took and gave back by one method, in đồng. */
export type MethodSum = { method: string; taken: number; refunded: number; payments: number }

/** The method whose payments lie in the drawer. */
const CASH = 'cash'

/** The cash that is in the drawer if nothing is missing, in đồng; below 0 where more was given out than was there. */
export function expectedCash(shift: {
  openingCash: number
  cashIn: number
  cashOut: number
  methods: readonly MethodSum[]
}): number {
  const cash = shift.methods.find(({ method }) => method === CASH)
  return (
    shift.openingCash + shift.cashIn - shift.cashOut + (cash === undefined ? 0 : cash.taken - cash.refunded)
  )
}

/**
 * What may be booked as the expected cash: what whoever counts was shown.
 * @throws Refused SHIFT_CASH_CHANGED where a payment or a movement came since.
 */
export function assertExpected(shown: number, expected: number): void {
  if (shown !== expected) throw new Refused('SHIFT_CASH_CHANGED', { expected })
}
