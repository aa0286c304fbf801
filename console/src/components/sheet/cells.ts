/** A value for the cell of a row and column. Of money, digits. */
export type CellChange = { key: string; column: string; value: string }

/** At most as many digits as the service takes: 9,000,000,000,000. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '').slice(0, 13)
}

/** The cells of what a spreadsheet puts on the clipboard: lines of values between tabs. */
export function cellsOf(text: string): string[][] {
  return text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t').map((value) => value.trim()))
}
