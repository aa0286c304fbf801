import { fold } from '../../../texts/fold.ts'
import { type Column, isMoney } from './columns.ts'

/** What shops write for a status, folded. */
const STATUSES = new Map<string, string>([
  ...['dang ban', 'dang kinh doanh', 'kinh doanh', 'on sale', 'co', 'yes', '1'].map(
    (text) => [text, 'active'] as const,
  ),
  ...['ngung kinh doanh', 'ngung ban', 'not on sale', 'discontinued', 'khong', 'no', '0'].map(
    (text) => [text, 'inactive'] as const,
  ),
])

/** A cell as the service reads it. What cannot be read stays as it is, and the service refuses it. */
export function readCell(column: Column, cell: string): string {
  const text = cell.trim()
  if (column === 'unitCost') return readCost(text)
  if (column === 'openingStock') return readStock(text)
  if (isMoney(column)) return readWhole(text)
  switch (column) {
    case 'vat':
      return text.replace(/\s*%$/, '').replace(',', '.')
    case 'status':
      return STATUSES.get(fold(text)) ?? text
    case 'category':
      return text.includes('\\') ? text : text.replaceAll('>>', '>')
    case 'images':
      return text.startsWith('[') ? text : text.replace(/\s*[,;]\s*(?=https?:)/g, ' ')
    case 'description':
      return cell
    default:
      return text
  }
}

/**
 * As {@link readWhole}, but 0 for a stock below 0, which other programs have of goods that were sold before they were received, and
 * without the fraction of goods by weight: a product is not left out because of either.
 */
export function readStock(text: string): string {
  const whole = readWhole(text)
  if (whole !== text) return whole
  const [, sign, amount = ''] = /^([-−]?)(.*)$/.exec(bareAmount(text)) ?? []
  const [, before = amount] = /^([\d.,]*\d)[.,](?:\d{1,2}|\d{4,})$/.exec(amount) ?? []
  const pieces = readWhole(before)
  if (!/^\d+$/.test(pieces)) return text
  return sign === '' ? pieces : '0'
}

/** As {@link readWhole}, but rounded: an average cost from another program often has a fraction, `20.333,33`. */
function readCost(text: string): string {
  const whole = readWhole(text)
  const [, before, after] = /^([\d.,]*\d)[.,](\d{1,2}|\d{4,})$/.exec(bareAmount(text)) ?? []
  if (whole !== text || before === undefined || after === undefined) return whole
  const digits = readWhole(before)
  return /^\d+$/.test(digits) ? String(Number(digits) + (after >= '5' ? 1 : 0)) : text
}

/**
 * Whole đồng or pieces as people write them: `35000`, `35.000 ₫`, `35,000 VND`, `35.000,00`. Three digits after a dot or comma are
 * thousands, as in the fields of the console.
 */
export function readWhole(text: string): string {
  const bare = bareAmount(text)
  const [, digits] =
    /^(\d{1,3}(?:\.\d{3})+)(?:,0+)?$/.exec(bare) ??
    /^(\d{1,3}(?:,\d{3})+)(?:\.0+)?$/.exec(bare) ??
    /^(\d+)(?:[.,]0{1,2})?$/.exec(bare) ??
    []
  return digits === undefined ? text : digits.replace(/[.,]/g, '')
}

function bareAmount(text: string): string {
  return text.replace(/vn[dđ]|đồng|[\s₫đ]/giu, '')
}
