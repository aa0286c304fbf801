import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CsvError, type Parser, parse } from 'csv-parse'
import { parse as parseAtOnce } from 'csv-parse/sync'
import { readCell } from '../../../lib/csv.ts'
import { countValues } from '../../../lib/json-values.ts'
import type { ImportFailure } from '../../../texts/keys.ts'
import { type Format, UnusableFile } from '../import/rules.ts'
import {
  CODE_COLUMNS,
  cellProblem,
  isTexts,
  type Line,
  numberOf,
  unknownColumns,
  wholeLineProblem,
} from './lines.ts'

/** Longer than any product's line. Without a limit, an unclosed quote would swallow the rest of the file. */
const LONGEST_LINE = 2_000_000
/** A line of JSON with more is not parsed; 650,000 took 80 ms. A product's line has a few hundred. */
const MAX_VALUES = 100_000
/** How much is read before other requests are served. Half a megabyte of short lines, read at once, took 1 s. */
const PIECE_BYTES = 16 * 1024

const SEPARATORS = [',', ';', '\t'] as const

const FAILURES: Partial<Record<string, ImportFailure>> = {
  CSV_QUOTE_NOT_CLOSED: 'quoteNotClosed',
  CSV_INVALID_CLOSING_QUOTE: 'quoteMisplaced',
  INVALID_OPENING_QUOTE: 'quoteMisplaced',
  CSV_MAX_RECORD_SIZE: 'lineTooLong',
}

type Row = { record: string[]; raw: string }
const CSV = {
  bom: true,
  info: true,
  raw: true,
  relax_column_count: true,
  max_record_size: LONGEST_LINE,
} as const

/**
 * Yields the lines of a UTF-8 file while its bytes arrive, without empty lines. An unreadable line carries its problem.
 * @throws UnusableFile when the file has another format, or unknown columns.
 */
export function readLines(chunks: AsyncIterable<Uint8Array>, format: Format): AsyncGenerator<Line, void> {
  return format === 'csv' ? csvLines(piecesOf(chunks)) : jsonLines(piecesOf(chunks))
}

/** Cuts chunks into pieces, with a turn of the event loop after each. A piece may end within a character. */
async function* piecesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      yield chunk.subarray(at, at + PIECE_BYTES)
      await nextTurn()
    }
  }
}

/**
 * The separator of a CSV file: the comma, semicolon or tab that occurs most often in the first line, outside quotes.
 * Excel writes semicolons where the decimal sign is a comma.
 */
function separatorOf(beginning: Uint8Array): string {
  const [first = ''] = Buffer.from(beginning.subarray(0, PIECE_BYTES))
    .toString('latin1')
    .split(/[\r\n]/, 1)
  const counted = SEPARATORS.map((separator) => first.replace(/"[^"]*"/g, '').split(separator).length)
  return SEPARATORS[counted.indexOf(Math.max(...counted))]!
}

/**
 * The columns of a CSV file, read from its first 16 KB: half a megabyte of commas took 0.5 s.
 * @throws UnusableFile naming unknown columns.
 */
export function readHeader(beginning: Uint8Array): string[] {
  try {
    const start = Buffer.from(beginning.subarray(0, PIECE_BYTES))
    const rows = parseAtOnce(start, {
      ...CSV,
      delimiter: separatorOf(start),
      info: false,
      raw: false,
      to: 1,
    }) as string[][]
    return columnsOf(rows[0] ?? [])
  } catch (error) {
    throw unusable(error, 1)
  }
}

function columnsOf(header: string[]): string[] {
  const columns = header.map((name) => name.trim())
  if (columns.every((name) => name === '')) throw new UnusableFile('empty')
  refuseUnknown(columns)
  const twice = columns.find((name, at) => columns.indexOf(name) !== at)
  if (twice !== undefined) throw new UnusableFile('columnTwice', { column: twice })
  return columns
}

function refuseUnknown(names: string[]): void {
  const unknown = unknownColumns(names)
  if (unknown.length === 0) return
  const shown = unknown.slice(0, 20).map((name) => JSON.stringify(name.slice(0, 100)))
  throw new UnusableFile('unknownColumns', { columns: shown.join(', ') })
}

/**
 * The parser gets a piece only after all rows of the previous one are taken. Lines are counted here, because the parser
 * counts a CRLF inside quotes twice.
 */
async function* csvLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Line, void> {
  let parser: Parser | undefined
  let failure: Error | undefined
  let columns: string[] | undefined
  let next = 1
  function* taken(parser: Parser): Generator<Line, void> {
    for (let row: Row | null = parser.read(); row !== null; row = parser.read()) {
      const line = next
      next += row.raw.match(/\r\n|\n|\r/g)?.length ?? 0
      if (columns === undefined) columns = columnsOf(row.record)
      else if (row.record.some((cell) => cell !== '')) yield lineOf(line, columns, row.record)
    }
  }
  for await (const piece of pieces) {
    parser ??= parse({ ...CSV, delimiter: separatorOf(piece) }).on('error', (error) => {
      failure = error
    })
    parser.write(piece)
    yield* taken(parser)
    await nextTurn()
    if (failure !== undefined) throw unusable(failure, next)
  }
  if (parser === undefined) throw new UnusableFile('empty')
  parser.end()
  await nextTurn()
  yield* taken(parser)
  if (failure !== undefined) throw unusable(failure, next)
  if (columns === undefined) throw new UnusableFile('empty')
}

function lineOf(own: number, columns: string[], record: string[]): Line {
  const cells: Line['cells'] = {}
  for (const [at, column] of columns.entries())
    if (column !== '') cells[column] = storedCell(column, readCell(record[at] ?? ''))
  const line = numberOf(cells, own)
  if (record.length === columns.length) return { line, cells }
  const counts = { cells: record.length, columns: columns.length }
  return { line, cells, problem: wholeLineProblem('line.cellCount', counts) }
}

/** A code is read as it is stored (G-39): without white space at its ends. */
function storedCell(column: string, text: string): string {
  return CODE_COLUMNS.includes(column) ? text.trim() : text
}

/** Why a file is refused at the parser's error, whose own text is English. The row with the error begins on `line`. */
function unusable(error: unknown, line: number): UnusableFile {
  if (error instanceof UnusableFile) return error
  return new UnusableFile(FAILURES[(error as CsvError).code] ?? 'notCsv', { line })
}

async function* jsonLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Line, void> {
  const decoder = new TextDecoder()
  let rest = ''
  let line = 0
  for await (const piece of pieces) {
    const texts = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = texts.pop()!
    for (const text of texts) {
      line += 1
      if (text.trim() !== '') yield jsonLine(line, text)
    }
    if (rest.length > LONGEST_LINE) throw new UnusableFile('lineTooLong', { line: line + 1 })
  }
  rest += decoder.decode()
  if (rest.trim() !== '') yield jsonLine(line + 1, rest)
}

function jsonLine(line: number, text: string): Line {
  const cells: Line['cells'] = {}
  if (isTooLong(text)) throw new UnusableFile('lineTooLong', { line })
  let fields: unknown
  try {
    fields = JSON.parse(text)
  } catch {
    return { line, cells, problem: wholeLineProblem('line.notJson') }
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    return { line, cells, problem: wholeLineProblem('line.notObject') }
  }
  refuseUnknown(Object.keys(fields))
  for (const [column, value] of Object.entries(fields)) {
    if (typeof value === 'string') cells[column] = storedCell(column, value)
    else if (typeof value === 'number') cells[column] = String(value)
    else if (value === null) cells[column] = ''
    else if (column === 'images' && isTexts(value)) cells[column] = JSON.stringify(value)
    else return { line: numberOf(cells, line), cells, problem: cellProblem(column, 'import.cellType') }
  }
  return { line: numberOf(cells, line), cells }
}

function isTooLong(text: string): boolean {
  if (text.length > LONGEST_LINE) return true
  return text.length > MAX_VALUES && countValues(Buffer.from(text)) > MAX_VALUES
}
