import { stringify } from 'csv-stringify/sync'

/** The characters that a spreadsheet reads as the beginning of a formula. */
const FORMULA = '[=+\\-@\\t\\r\\n＝＋－＠]'
const NEEDS_APOSTROPHE = new RegExp(`^'*${FORMULA}`)
const HAS_APOSTROPHE = new RegExp(`^'+${FORMULA}`)

/**
 * A text as it stands in a CSV file of ours: with an apostrophe before text that a spreadsheet would read as a formula,
 * and another one if the text itself has such an apostrophe, so that {@link readCell} restores every text.
 */
export function safeCell(text: string): string {
  return NEEDS_APOSTROPHE.test(text) ? `'${text}` : text
}

/** The original text of a cell that {@link safeCell} made. */
export function readCell(cell: string): string {
  return HAS_APOSTROPHE.test(cell) ? cell.slice(1) : cell
}

/**
 * Lines of a CSV file: CRLF, texts in quotes and safe as {@link safeCell} makes them. With `header`, the file's first
 * piece: a byte order mark, so that spreadsheets read UTF-8, and the names of the columns.
 */
export function csvLines(
  columns: readonly string[],
  rows: Record<string, string | number>[],
  options: { header?: true } = {},
): string {
  const safe = rows.map((row) =>
    columns.map((column) => {
      const cell = row[column] ?? ''
      return typeof cell === 'string' ? safeCell(cell) : cell
    }),
  )
  return stringify(safe, {
    ...(options.header ? { bom: true, header: true } : {}),
    columns: [...columns],
    quoted_string: true,
    record_delimiter: 'windows',
  })
}
