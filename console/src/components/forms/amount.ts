/** The largest amount that the service accepts, in đồng. */
export const MOST_VND = 9_000_000_000_000

/** A whole amount as spreadsheets write it: the sign, and its digits with or without groups of three. */
const AMOUNT =
  /^\s*([-−]?)\s*(?:₫|VN[DĐ])?\s*([-−]?)\s*(\d{1,3}([.,\s])\d{3}(?:\4\d{3})*|\d+)(?:[.,]0{1,2})?\s*(?:₫|đ|đồng|VN[DĐ])?\s*$/i

/**
 * The digits of an amount that was copied, after a minus if it has one: đồng have no decimals, so three digits after a separator
 * are thousands, and decimals of zero are left out. Undefined for what is no whole amount.
 */
export function pastedAmount(text: string): string | undefined {
  const found = AMOUNT.exec(text)
  if (found === null) return undefined
  const [, before, after, digits = ''] = found
  return `${before || after ? '-' : ''}${digits.replace(/\D/g, '')}`
}
