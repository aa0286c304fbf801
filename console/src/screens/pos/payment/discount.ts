import { MOST_VND } from '../../../components/forms/amount.ts'

/** A discount from an amount: đồng, or a share of it in hundredths of a percent (1 to 10,000). */
export type Discount = { vnd: number } | { basisPoints: number }

export const NO_DISCOUNT: Discount = { vnd: 0 }

/**
 * A discount on an amount, both in đồng: never more than the amount, and in whole đồng. Half a đồng of a share is
 * rounded up, once for the whole amount and not for each piece.
 */
export function discountVnd(discount: Discount, ofVnd: number): number {
  if ('vnd' in discount) return Math.min(discount.vnd, ofVnd)
  return Number((BigInt(ofVnd) * BigInt(discount.basisPoints) + 5_000n) / 10_000n)
}

/** Whether a discount in đồng is more than the amount. Only the amount would be taken off, but a digit too many must not give it away. */
export function isAbove(discount: Discount, ofVnd: number): boolean {
  return 'vnd' in discount && discount.vnd > ofVnd
}

/**
 * Reads a discount as people type it: `50000`, `50.000 ₫`, `50k`, `10%`, `7,5 %`; empty input means no discount. Undefined for
 * any other text, a share above 100% and one with more than two decimals.
 */
export function readDiscount(text: string): Discount | undefined {
  const typed = text.replace(/[\s₫đ]/g, '')
  if (typed === '') return NO_DISCOUNT
  const [, whole, part = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?%$/.exec(typed) ?? []
  if (whole !== undefined) {
    const basisPoints = Number(whole) * 100 + Number(part.padEnd(2, '0'))
    return basisPoints <= 10_000 ? { basisPoints } : undefined
  }
  if (!/^(\d+|\d{1,3}(\.\d{3})+)k?$/i.test(typed)) return undefined
  const vnd = Number(typed.replaceAll('.', '').replace(/k$/i, '000'))
  return vnd <= MOST_VND ? { vnd } : undefined
}

/** A discount in the form that {@link readDiscount} reads; empty for no discount. */
export function writeDiscount(discount: Discount): string {
  if ('basisPoints' in discount) return `${String(discount.basisPoints / 100).replace('.', ',')}%`
  return discount.vnd === 0 ? '' : `${String(discount.vnd).replace(/\B(?=(\d{3})+$)/g, '.')} ₫`
}
