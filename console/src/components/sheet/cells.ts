/** A new value for the cell in a row and column. A number is digits only; '' also for what is none. */
export type CellChange = { key: string; column: string; value: string }

/** The digits of what was typed, from 0 to `most`; undefined for what is no such number. Three digits after a separator are thousands. */
export function wholeOf(typed: string, most: number): string | undefined {
  if (!/^\d+(?:[.,]\d{3})*$/.test(typed)) return undefined
  const digits = typed.replace(/\D/g, '').replace(/^0+(?=\d)/, '')
  return Number(digits) <= most ? digits : undefined
}

/** The cells in text that was copied from a spreadsheet: lines of values separated by tabs. */
export function cellsOf(text: string): string[][] {
  return text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t').map((value) => value.trim()))
}
