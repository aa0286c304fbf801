import { Refused } from '../../errors.ts'

/**
 * What pieces of a SKU cost on average: `value` đồng for `pieces`. Their quotient is kept as these two whole numbers, so that
 * nothing is lost where it is no whole đồng. No pieces: no cost is known.
 */
export type AverageCost = { value: number; pieces: number }

/**
 * The moving average after a receipt: what was on hand at its average, and what came at its own cost, over all pieces.
 *
 *   value  = round half up(value before × on hand ÷ pieces before) + quantity × unit cost
 *   pieces = on hand + quantity
 *
 * `onHand` is the SKU's stock in all warehouses before the receipt. If nothing was taken out since the last receipt, nothing
 * is rounded, and `value` is the sum of what was paid; else at most half a đồng is, for all pieces together. With nothing on
 * hand, or at a cost that is not known, the cost of what came stands alone.
 * @throws Refused AMOUNT_TOO_LARGE beyond the safe integers.
 */
export function averageAfterReceipt(
  before: AverageCost,
  onHand: number,
  received: { quantity: number; unitCost: number },
): AverageCost {
  const { quantity, unitCost } = received
  const paid = BigInt(quantity) * BigInt(unitCost)
  if (onHand <= 0 || before.pieces === 0) return { value: safe(paid), pieces: quantity }
  const kept = divideHalfUp(BigInt(before.value) * BigInt(onHand), BigInt(before.pieces))
  return { value: safe(kept + paid), pieces: safe(BigInt(onHand) + BigInt(quantity)) }
}

/** What one piece costs on average, in whole đồng, half up; null if no cost is known. The table computes the same. */
export function unitCostOf({ value, pieces }: AverageCost): number | null {
  return pieces === 0 ? null : Number(divideHalfUp(BigInt(value), BigInt(pieces)))
}

/**
 * What all pieces of a receipt cost that have a cost, in đồng.
 * @throws Refused AMOUNT_TOO_LARGE beyond the safe integers.
 */
export function totalCostOf(items: readonly { quantity: number; unitCost?: number | undefined }[]): number {
  return safe(
    items.reduce((sum, { quantity, unitCost = 0 }) => sum + BigInt(quantity) * BigInt(unitCost), 0n),
  )
}

/** Of numbers that are not below 0. */
function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor)
}

function safe(amount: bigint): number {
  if (amount > BigInt(Number.MAX_SAFE_INTEGER)) throw new Refused('AMOUNT_TOO_LARGE')
  return Number(amount)
}
