import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { CliError } from '../../cli.ts'

/** A row of the platform's bill. `trackingId` is our message id, or empty if the bill does not have it. */
export type BillRow = { line: number; oaId: string; msgId: string; trackingId: string; amountVnd: number }

const REQUIRED = ['msg_id', 'amount']
const NAMED = 10

/**
 * Reads the rows of a bill as a stream. The bill is CSV in UTF-8. Its first line names the columns: `msg_id`, `amount`
 * (whole đồng) and optionally `oa_id` and `tracking_id`; others are ignored.
 * @throws CliError if the file is not a bill and, after the last row, if rows are wrong; the error names their lines.
 */
export async function* readBill(file: string): AsyncGenerator<BillRow, void> {
  const wrong: string[] = []
  let count = 0
  try {
    for await (const { record, info } of rowsOf(file)) {
      count += 1
      const row = { line: info.lines, ...fieldsOf(record) }
      const problem = problemOf(row, record)
      if (problem === undefined) yield row
      else if (wrong.length <= NAMED) wrong.push(`line ${info.lines}: ${problem}`)
    }
  } catch (error) {
    if (error instanceof CliError) throw error
    const { code, lines, message } = error as { code?: string; lines?: number; message: string }
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw new CliError(`${file} is not text in UTF-8`)
    throw new CliError(lines === undefined ? message : `${file} line ${lines}: ${message}`)
  }
  if (wrong.length > 0) {
    const more = wrong.length > NAMED ? '; and more' : ''
    throw new CliError(`${file} cannot be compared: ${wrong.slice(0, NAMED).join('; ')}${more}`)
  }
  if (count === 0) throw new CliError(`${file} has no rows`)
}

type Raw = { record: Record<string, string>; info: { lines: number } }

function rowsOf(file: string): AsyncIterable<Raw> {
  const columns = (header: string[]) => {
    const missing = REQUIRED.find((name) => !header.includes(name))
    if (missing === undefined) return header
    throw new CliError(
      `${file} has no column ${missing}: its first line names the columns (${header.join(', ')})`,
    )
  }
  const parser = parse({ columns, info: true, bom: true, trim: true, skip_empty_lines: true })
  // Errors are emitted by the parser.
  return pipeline(Readable.from(textOf(file)), parser, () => {})
}

async function* textOf(file: string): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of createReadStream(file)) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

function fieldsOf(record: Record<string, string>): Omit<BillRow, 'line'> {
  const { msg_id: msgId = '', tracking_id: trackingId = '', oa_id: oaId = '', amount = '' } = record
  return { msgId, trackingId, oaId, amountVnd: /^\d{1,12}$/.test(amount) ? Number(amount) : Number.NaN }
}

function problemOf({ msgId, amountVnd }: BillRow, { amount }: Record<string, string>): string | undefined {
  if (msgId === '') return 'msg_id is empty'
  if (Number.isNaN(amountVnd)) return `amount must be a whole number of đồng, not "${amount}"`
  return undefined
}
