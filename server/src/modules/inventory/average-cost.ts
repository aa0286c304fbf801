import { Refused } from '../../errors.ts'

/**
 * What pieces of a SKU cost on average: `value` đồng for `pieces`. The quotient is stored as these two whole numbers, so that
 * nothing is lost when it is not a whole number of đồng. No pieces: the cost is unknown.
 */
export type AverageCost = { value: number; pieces: number }

/**
 * The moving average after a receipt of goods: the pieces on hand at their average cost and the new pieces at theirs, over all
 * pieces.
 *
 *   value  = round half up(value before × on hand ÷ pieces before) + quantity × unit cost
 *   pieces = on hand + quantity
 *
 * `onHand` is the SKU's stock in all warehouses before the receipt. If nothing was taken out since the last receipt, nothing is
 * rounded, and `value` is the sum of what was paid; else the rounding is at most half a đồng for all pieces together. If nothing
 * is on hand, or its cost is unknown, only the new pieces count.
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

/**
 * What one piece costs on average, in whole đồng, rounded half up; null if the cost is unknown. A column of the table computes
 * the same.
 */
export function unitCostOf({ value, pieces }: AverageCost): number | null {
  return pieces === 0 ? null : Number(divideHalfUp(BigInt(value), BigInt(pieces)))
}

/**
 * What all pieces of a receipt with a known cost come to, in đồng.
 * @throws Refused AMOUNT_TOO_LARGE beyond the safe integers.
 */
export function totalCostOf(items: readonly { quantity: number; unitCost?: number | undefined }[]): number {
  return safe(
    items.reduce((sum, { quantity, unitCost = 0 }) => sum + BigInt(quantity) * BigInt(unitCost), 0n),
  )
}

/** For numbers that are not negative. */
function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor)
}

function safe(amount: bigint): number {
  if (amount > BigInt(Number.MAX_SAFE_INTEGER)) throw new Refused('AMOUNT_TOO_LARGE')
  return Number(amount)
}
