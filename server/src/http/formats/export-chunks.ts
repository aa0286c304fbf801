import { type Cells, csvPieces } from '../../lib/csv.ts'
import { minuteOf } from '../../lib/time/dates.ts'
import { type Language, textsIn } from '../../texts/catalogue.ts'
import type { ExportTexts } from '../../texts/exports-en.ts'

/**
 * A value of an export, as the database has it. Null is an empty cell; an object has texts by their names; a list is written as
 * `cash 3331000; transfer 5000000`.
 */
export type Cell = string | number | boolean | Date | null | Readonly<Record<string, string>> | readonly Sum[]
type Sum = { readonly word: string; readonly amount: number }
type Words = Readonly<Record<string, string>>

/** What the file of an export consists of. */
export type ExportFile<Column extends string> = {
  /** Named as in the API, in the sequence of a file without labels. */
  columns: readonly Column[]
  /** The columns that only programs read. With labels they come last. */
  ids: readonly NoInfer<Column>[]
  headings: (texts: ExportTexts) => Readonly<Record<NoInfer<Column>, string>>
  /** The words for the coded values of a column. A value without a word, such as a partner's own payment method, stays. */
  words?: (texts: ExportTexts) => Partial<Record<NoInfer<Column>, Words>>
}

/**
 * The rows of an export as CSV, a chunk at a time, for programs or for people (G-121). Without `labels` everything is in the API's
 * words and times are ISO 8601 in UTC. With a language, headings and coded values are in its words, times are the minute in
 * Vietnam, and ids come last. `read` gets the last row of the chunk before; `hasMore` says whether rows may follow a chunk.
 */
export async function* exportChunks<Column extends string, Row>(
  file: ExportFile<Column>,
  labels: Language | undefined,
  source: {
    read: (after: Row | undefined) => Promise<Row[]>
    /** One line or several. A column that a line leaves out is empty. */
    linesOf: (row: Row) => Iterable<Partial<Record<Column, Cell>>>
    hasMore: (rows: Row[]) => boolean
  },
): AsyncGenerator<string, void> {
  const { columns, header, cellOf } = labels === undefined ? forPrograms(file) : forPeople(file, labels)
  function* linesOf(rows: Row[]): Generator<Cells, void> {
    for (const row of rows) {
      for (const line of source.linesOf(row))
        yield Object.fromEntries(columns.map((column) => [column, cellOf(line[column] ?? null, column)]))
    }
  }
  let rows = await source.read(undefined)
  yield* csvPieces(columns, linesOf(rows), { header })
  while (source.hasMore(rows)) {
    rows = await source.read(rows.at(-1))
    if (rows.length > 0) yield* csvPieces(columns, linesOf(rows))
  }
}

/** How a file is written: its columns in their sequence, their headings (true: the names), and the text of a cell. */
type Writing<Column extends string> = {
  columns: readonly Column[]
  header: true | readonly string[]
  cellOf: (cell: Cell, column: Column) => string | number
}

function forPrograms<Column extends string>({ columns }: ExportFile<Column>): Writing<Column> {
  return { columns, header: true, cellOf: plain }
}

function forPeople<Column extends string>(
  { columns, ids, headings, words }: ExportFile<Column>,
  language: Language,
): Writing<Column> {
  const texts = textsIn(language).exports
  const names = headings(texts)
  const wordsOf: Partial<Record<Column, Words>> = words?.(texts) ?? {}
  const shown = [...columns.filter((column) => !ids.includes(column)), ...ids]
  return {
    columns: shown,
    header: shown.map((column) => names[column]),
    cellOf: (cell, column) => readable(cell, wordsOf[column], texts),
  }
}

function plain(cell: Cell): string | number {
  if (cell === null) return ''
  if (cell instanceof Date) return cell.toISOString()
  if (isSums(cell)) return sumsOf(cell, undefined)
  if (typeof cell === 'object') return JSON.stringify(cell)
  return typeof cell === 'boolean' ? String(cell) : cell
}

/**
 * Times have the one form that spreadsheets read as a time, and sort, whatever the language of the computer: `03/12/2026`
 * is the 12th of March to some of them, and `27/11/2026` is a text.
 */
function readable(cell: Cell, words: Words | undefined, texts: ExportTexts): string | number {
  if (cell === null) return ''
  if (cell instanceof Date) return minuteOf(cell)
  if (typeof cell === 'boolean') return cell ? texts.yes : texts.no
  if (isSums(cell)) return sumsOf(cell, words)
  if (typeof cell === 'object')
    return Object.entries(cell)
      .map(([name, text]) => `${name}: ${text}`)
      .join('; ')
  return typeof cell === 'string' ? inWords(cell, words) : cell
}

/** `Array.isArray` does not narrow a readonly list. */
function isSums(cell: Cell): cell is readonly Sum[] {
  return Array.isArray(cell)
}

function sumsOf(sums: readonly Sum[], words: Words | undefined): string {
  return sums.map(({ word, amount }) => `${inWords(word, words)} ${amount}`).join('; ')
}

function inWords(text: string, words: Words | undefined): string {
  return words !== undefined && Object.hasOwn(words, text) ? words[text]! : text
}
