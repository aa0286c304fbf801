/**
 * Converts a VAT rate of the API, a percentage with at most two decimals, to basis points (hundredths of a percent), in
 * which it is stored and used (G-42). The product with a double is off by less than half a basis point, so rounding is
 * exact.
 */
export function toBasisPoints(percent: number): number {
  return Math.round(percent * 100)
}

/** Basis points as a percentage: the nearest double, which JSON writes with at most two decimals. */
export function toPercent(basisPoints: number): number {
  return basisPoints / 100
}
