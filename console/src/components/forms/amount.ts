/** The largest amount that the service accepts, in đồng. */
export const MOST_VND = 9_000_000_000_000

/** A whole amount as spreadsheets write it: the sign, and its digits with or without groups of three. */
const AMOUNT =
  /^\s*([-−]?)\s*(?:₫|VN[DĐ])?\s*([-−]?)\s*([1-9]\d{0,2}([.,\s])\d{3}(?:\4\d{3})*|\d+)(?:[.,]0{1,2})?\s*(?:₫|đ|đồng|VN[DĐ])?\s*$/i

/** An amount as people say it: a number, its unit, and the tenths or hundredths of the unit. */
const SPOKEN = /^\s*(\d[\d.,]*)\s*(k|ngh[ìi]n|ng[àa]n|tr(?:i[ệe]u)?)\s*(\d{0,3})\s*(?:₫|đ|đồng)?\s*$/i
const DECIMAL = /^(\d+)[.,](\d{1,2})$/

/**
 * The digits of an amount that was copied, after a minus if it has one: đồng have no decimals, so three digits after a separator
 * are thousands, and decimals of zero are left out. Undefined for what is no whole amount.
 */
export function pastedAmount(text: string): string | undefined {
  const found = AMOUNT.exec(text.normalize('NFKC'))
  if (found === null) return undefined
  const [, before, after, digits = ''] = found
  return `${before || after ? '-' : ''}${digits.replace(/\D/g, '')}`
}

/** The whole đồng of an amount as people write or say it: `45.000 ₫`, `20k`, `350 nghìn`, `1tr2`, `1,5 triệu`. Undefined for another text. */
export function amountIn(text: string): number | undefined {
  const plain = pastedAmount(text)
  if (plain !== undefined) return Number(plain)
  const [, number = '', unit = '', rest = ''] = SPOKEN.exec(text.normalize('NFKC')) ?? []
  const [, whole = pastedAmount(number), part = rest] = DECIMAL.exec(number) ?? []
  if (whole === undefined || (part !== rest && rest !== '')) return undefined
  const zeros = unit.toLowerCase().startsWith('t') ? 6 : 3
  return Number(`${whole}${part.padEnd(zeros, '0')}`)
}
