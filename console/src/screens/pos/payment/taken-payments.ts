/** `split`: a part in cash, the rest by transfer. */
export const METHODS = ['cash', 'transfer', 'card', 'split'] as const
export type Method = (typeof METHODS)[number]
export const PAYINGS = ['all', 'part', 'later'] as const
export type PayingNow = (typeof PAYINGS)[number]

/** How a sale is paid. */
export type Paying = {
  method: Method
  /** How much of the price is paid now. */
  paying: PayingNow
  /** The amount that is paid now if that is a part, in đồng. */
  part: number | null
  /** The cash part of a split payment, in đồng. */
  cashPart: number | null
}

/** What a customer pays now by one method, in đồng. */
export type Taken = { method: 'cash' | 'transfer' | 'card'; vnd: number }

/** The payment with which an order is created. `rest` is the second payment: the total paid after it, and its method. */
export type PaidBy = {
  body: { paymentMethod: string; isPaid: boolean; paidAmount?: number }
  rest?: SecondPayment
}
export type SecondPayment = { paidAmount: number; paymentMethod: string }

/**
 * The payments of a sale with a price in đồng, in the order in which they are recorded; empty if it is paid later.
 * Undefined while an amount is missing or invalid: a part must be above 0 and below the price, and the cash of a split
 * payment above 0 and below what is paid now.
 */
export function takenNow(sale: Paying, priceVnd: number): Taken[] | undefined {
  if (sale.paying === 'later') return []
  const due = sale.paying === 'all' ? priceVnd : partBelow(sale.part, priceVnd)
  if (due === undefined) return undefined
  if (sale.method !== 'split') return [{ method: sale.method, vnd: due }]
  const cash = partBelow(sale.cashPart, due)
  if (cash === undefined) return undefined
  return [
    { method: 'cash', vnd: cash },
    { method: 'transfer', vnd: due - cash },
  ]
}

/** These payments in the form for the service: an order is created with the first one, and the second sets the total paid. */
export function paidBy(sale: Paying, taken: readonly Taken[]): PaidBy {
  const [first, second] = taken
  if (first === undefined) {
    return { body: { paymentMethod: sale.method === 'split' ? 'cash' : sale.method, isPaid: false } }
  }
  const { method, vnd } = first
  if (second !== undefined) {
    return {
      body: { paymentMethod: method, isPaid: false, paidAmount: vnd },
      rest: { paidAmount: vnd + second.vnd, paymentMethod: second.method },
    }
  }
  if (sale.paying === 'all') return { body: { paymentMethod: method, isPaid: true } }
  return { body: { paymentMethod: method, isPaid: false, paidAmount: vnd } }
}

export function sumTaken(taken: readonly Taken[]): number {
  return taken.reduce((sum, { vnd }) => sum + vnd, 0)
}

function partBelow(vnd: number | null, limit: number): number | undefined {
  return vnd !== null && vnd > 0 && vnd < limit ? vnd : undefined
}
