/** By how many percent, and to what whole đồng a new price is rounded. */
export type PriceChange = { percent: number; stepVnd: number }

/** The new price. What the rounding would make free is rounded to whole đồng instead. */
export function repriced(vnd: number, { percent, stepVnd }: PriceChange): number {
  const exact = (vnd * (100 + percent)) / 100
  return Math.round(exact / stepVnd) * stepVnd || Math.round(exact)
}
