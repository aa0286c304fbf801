import { fold } from '../../texts/fold.ts'

/** The folded words of a column's heading without a currency and anything in brackets: `Giá bán (VNĐ)` is `gia ban`. */
export function headingWords(heading: string): string {
  const bare = heading.replace(/[([].*?[)\]]/g, ' ').trim()
  return fold(bare === '' ? heading : bare)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && word !== 'vnd')
    .join(' ')
}

/** The heading of a column; a given name if it has none. */
export function headingOf(heading: string, unnamed: string): string {
  return heading.trim() === '' ? unnamed : heading.trim()
}
