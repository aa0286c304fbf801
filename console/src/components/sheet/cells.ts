/** A new value for the cell in a row and column. Money is digits only. */
export type CellChange = { key: string; column: string; value: string }

/** Only the digits, at most as many as the service accepts: 9,000,000,000,000. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '').slice(0, 13)
}

/** The cells in text that was copied from a spreadsheet: lines of values separated by tabs. */
export function cellsOf(text: string): string[][] {
  return text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t').map((value) => value.trim()))
}
