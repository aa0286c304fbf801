/** A row of a file: its fields as text. */
export type CsvRow = string[]

const SEPARATORS = [',', ';', '\t'] as const

/** The rows of a CSV text as in {@link readCsv}, without empty ones. */
export function parseCsv(text: string): CsvRow[] {
  return [...readCsv(text)].flatMap(({ row }) => (row.some((field) => field !== '') ? [row] : []))
}

/** A row, and the number of its first line in the text, from 1. */
export type ReadRow = {
  row: CsvRow
  line: number
  /** Its last field has an opening quote and no closing one, so it has all the rest of the text. */
  isUnclosed: boolean
}

/** Excel's own line that names the separator. */
const SEPARATOR_LINE = /^sep=([^\r\n])(?:\r\n|\r|\n|$)/i

/**
 * Yields the rows of a CSV text (RFC 4180). The separator is the one that a first line `sep=;` names, otherwise the comma, semicolon
 * or tab that occurs most often in the first line that is not empty: Excel writes semicolons in
 * locales with a decimal comma. Quoted fields may contain separators, line breaks and doubled quotes. A byte order mark
 * and the separator's line are left out. A quote within an unquoted field is plain text.
 */
export function* readCsv(text: string): Generator<ReadRow, void> {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  const separator = separatorOf(source)
  const named = SEPARATOR_LINE.exec(source)?.[0] ?? ''
  let row: CsvRow = []
  let at = named.length
  let line = 1 + countLineBreaks(named)
  let isUnclosed = false

  function quotedField(): string {
    let field = ''
    at += 1
    for (;;) {
      const end = source.indexOf('"', at)
      if (end === -1) {
        field += source.slice(at)
        at = source.length
        isUnclosed = true
        return field
      }
      field += source.slice(at, end)
      at = end + 1
      if (source[at] !== '"') return field
      field += '"'
      at += 1
    }
  }

  function plainField(): string {
    const start = at
    while (at < source.length && source[at] !== separator && source[at] !== '\n' && source[at] !== '\r')
      at += 1
    return source.slice(start, at)
  }

  while (at < source.length) {
    // Text after a closing quote still belongs to the field.
    row.push(source[at] === '"' ? quotedField() + plainField() : plainField())
    if (source[at] === separator) {
      at += 1
      if (at === source.length) row.push('')
      continue
    }
    yield { row, line, isUnclosed }
    for (const field of row) line += countLineBreaks(field)
    line += 1
    row = []
    at += source[at] === '\r' && source[at + 1] === '\n' ? 2 : 1
  }
  if (row.length > 0) yield { row, line, isUnclosed }
}

function countLineBreaks(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0
}

/** The separator of a CSV text, as {@link readCsv} finds it. */
export function separatorOf(source: string): string {
  const named = SEPARATOR_LINE.exec(source)?.[1]
  if (named !== undefined) return named
  const counts = new Map<string, number>(SEPARATORS.map((separator) => [separator, 0]))
  let isQuoted = false
  for (const sign of source.replace(/^[\r\n]+/, '')) {
    if (sign === '"') isQuoted = !isQuoted
    else if (!isQuoted && (sign === '\n' || sign === '\r')) break
    else if (!isQuoted && counts.has(sign)) counts.set(sign, counts.get(sign)! + 1)
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}

/** The rows as CSV with a byte order mark, from which Excel recognises UTF-8. */
export function writeCsv(rows: CsvRow[], separator = ','): string {
  return `\uFEFF${rows.map((row) => row.map(csvField).join(separator)).join('\r\n')}\r\n`
}

/** A field as it is written in a CSV file: in quotes where they are needed. */
export function csvField(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const BYTES_AT_ONCE = 1024 * 1024

/** By the byte order mark. */
const ENCODINGS = new Map([
  [0xfffe, 'utf-16le'],
  [0xfeff, 'utf-16be'],
])

/**
 * The text of a file: UTF-8, or the UTF-16 that Excel calls "Unicode text". What is neither has U+FFFD in it. Read in pieces, so
 * that the page stays usable.
 */
export async function readText(file: Blob): Promise<string> {
  const bytesAt = (start: number) => file.slice(start, start + BYTES_AT_ONCE).arrayBuffer()
  let bytes = await bytesAt(0)
  const [first = 0, second = 0] = new Uint8Array(bytes)
  const decoder = new TextDecoder(ENCODINGS.get((first << 8) | second) ?? 'utf-8')
  let text = decoder.decode(bytes, { stream: true })
  for (let start = BYTES_AT_ONCE; start < file.size; start += BYTES_AT_ONCE) {
    bytes = await bytesAt(start)
    text += decoder.decode(bytes, { stream: true })
  }
  return text + decoder.decode()
}
