/** The percentage by which prices change, and the step in whole đồng to which the new price is rounded. */
export type PriceChange = { percent: number; stepVnd: number }

/** The new price. If rounding to the step would make it 0 or leave it as it was, it is rounded to whole đồng instead. */
export function repriced(vnd: number, { percent, stepVnd }: PriceChange): number {
  const exact = (vnd * (100 + percent)) / 100
  const rounded = Math.round(exact / stepVnd) * stepVnd
  return rounded === 0 || rounded === vnd ? Math.round(exact) : rounded
}
