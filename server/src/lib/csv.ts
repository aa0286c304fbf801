import { stringify } from 'csv-stringify/sync'

/**
 * The characters that a spreadsheet reads as the start of a formula, also behind spaces and invisible characters, which some drop
 * when they open a file.
 */
const FORMULA = '[\\s\\u200B-\\u200F\\u2060\\uFEFF]*[=+\\-@\\t\\r\\n＝＋－＠]'
const NEEDS_APOSTROPHE = new RegExp(`^'*${FORMULA}`)
const HAS_APOSTROPHE = new RegExp(`^'+${FORMULA}`)

/**
 * The form of a text in our CSV files. Text that a spreadsheet would read as a formula gets an apostrophe in front, and
 * so does text that already has such an apostrophe, so that {@link readCell} restores every text.
 */
export function safeCell(text: string): string {
  return NEEDS_APOSTROPHE.test(text) ? `'${text}` : text
}

/** The original text of a cell that {@link safeCell} made. */
export function readCell(cell: string): string {
  return HAS_APOSTROPHE.test(cell) ? cell.slice(1) : cell
}

export type Cells = Record<string, string | number>

/** `header`: the column names (true) or these headings begin the file. */
type Options = { header?: true | readonly string[] | undefined }

/** The most characters in one piece, beside its last line: quoting half a million quotes takes 80 to 240 ms. */
const MOST_PIECE = 50_000

/** The lines of {@link csvLines} in pieces. Lines are taken as their piece is made; there is one piece even without lines. */
export function* csvPieces(
  columns: readonly string[],
  lines: Iterable<Cells>,
  options: Options = {},
): Generator<string, void> {
  let piece: Cells[] = []
  let length = 0
  let made = 0
  const write = () => csvLines(columns, piece, made++ === 0 ? options : {})
  for (const line of lines) {
    piece.push(line)
    for (const column of columns) length += String(line[column] ?? '').length
    if (length <= MOST_PIECE) continue
    yield write()
    piece = []
    length = 0
  }
  if (piece.length > 0 || made === 0) yield write()
}

/**
 * Lines of a CSV file: they end with CRLF, and texts are quoted and made safe by {@link safeCell}. With `header`, the
 * result is the start of the file: a byte order mark, which makes spreadsheets read it as UTF-8, and the headings: those
 * given, else the column names.
 */
export function csvLines(columns: readonly string[], rows: Cells[], options: Options = {}): string {
  const safe = rows.map((row) =>
    columns.map((column) => {
      const cell = row[column] ?? ''
      return typeof cell === 'string' ? safeCell(cell) : cell
    }),
  )
  const { header } = options
  const headings = Array.isArray(header) ? header : columns
  return stringify(safe, {
    ...(header === undefined ? {} : { bom: true, header: true }),
    columns: headings.map(safeCell),
    quoted_string: true,
    record_delimiter: 'windows',
  })
}
