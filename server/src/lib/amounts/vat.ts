/**
 * A VAT rate of the wire, a percentage with at most two decimals, as it is stored and computed with: in basis points,
 * hundredths of a percent (G-42). The product of a double is off by less than half a basis point.
 */
export function toBasisPoints(percent: number): number {
  return Math.round(percent * 100)
}

/** Basis points as a percentage: the double nearest to it, which JSON writes with two decimals. */
export function toPercent(basisPoints: number): number {
  return basisPoints / 100
}
