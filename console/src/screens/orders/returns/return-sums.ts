import { leftToPay, netOf, paidTooMuch, type Sums } from '../order-price.ts'

/** What of a line was not returned: pieces, and what all of them cost in đồng. */
export type LeftOfLine = { orderItemId: string; quantityLeft: number; amountLeft: number }

/** How many pieces of each line come back, by the line's id; empty while its field is empty. */
export type Quantities = Record<string, number | ''>

/**
 * What pieces of a line cost, in đồng, as the service computes it (G-123): their share of what is left, rounded down, and all of it for
 * the last ones. At most `quantityLeft` pieces.
 */
export function amountOfPieces({ quantityLeft, amountLeft }: LeftOfLine, quantity: number): number {
  if (quantity === quantityLeft) return amountLeft
  return Number((BigInt(amountLeft) * BigInt(quantity)) / BigInt(quantityLeft))
}

/** The lines that come back, in the order of the order's lines. */
export function chosenOf(lines: readonly LeftOfLine[], quantities: Quantities) {
  return lines.flatMap(({ orderItemId }) => {
    const quantity = quantities[orderItemId] || 0
    return quantity > 0 ? [{ orderItemId, quantity }] : []
  })
}

/**
 * The pieces of a return and what they cost, and what follows for the order, in đồng. `mostVnd` can be refunded: what is paid above the
 * new price, so a debt is lowered first. `refundVnd` undefined means all of that. Afterwards the customer owes `owedVnd`, or the shop
 * still holds `heldVnd` too much.
 */
export function sumsOfReturn(
  order: Sums & { isPaid: boolean },
  lines: readonly LeftOfLine[],
  asked: { quantities: Quantities; feeVnd: number; refundVnd: number | undefined },
) {
  const parts = lines.map((line) => {
    const pieces = Math.min(asked.quantities[line.orderItemId] || 0, line.quantityLeft)
    return { pieces, vnd: amountOfPieces(line, pieces) }
  })
  const pieces = parts.reduce((sum, part) => sum + part.pieces, 0)
  const valueVnd = parts.reduce((sum, { vnd }) => sum + vnd, 0)
  const lowered = valueVnd - Math.min(asked.feeVnd, valueVnd)
  const after = { ...order, returnedAmount: order.price - netOf(order) + lowered }
  const mostVnd = paidTooMuch(after)
  const refundVnd = asked.refundVnd ?? mostVnd
  return {
    pieces,
    valueVnd,
    mostVnd,
    refundVnd,
    owedVnd: leftToPay(after),
    heldVnd: Math.max(0, mostVnd - refundVnd),
  }
}
