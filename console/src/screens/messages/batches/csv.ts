/** A row of a file: its fields as text. */
export type CsvRow = string[]

const SEPARATORS = [',', ';', '\t'] as const

/**
 * The rows of a CSV text (RFC 4180). The separator is the comma, semicolon or tab that occurs most often in the first
 * line: Excel writes semicolons in locales with a decimal comma. Quoted fields may contain separators, line breaks and
 * doubled quotes. A byte order mark and empty rows are left out. A quote within an unquoted field is plain text.
 */
export function parseCsv(text: string): CsvRow[] {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  const separator = separatorOf(source)
  const rows: CsvRow[] = []
  let row: CsvRow = []
  let at = 0

  function quotedField(): string {
    let field = ''
    at += 1
    for (;;) {
      const end = source.indexOf('"', at)
      if (end === -1) {
        field += source.slice(at)
        at = source.length
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

  function endRow(): void {
    if (row.some((field) => field !== '')) rows.push(row)
    row = []
  }

  while (at < source.length) {
    // Text after a closing quote still belongs to the field.
    row.push(source[at] === '"' ? quotedField() + plainField() : plainField())
    if (source[at] === separator) {
      at += 1
      if (at === source.length) row.push('')
      continue
    }
    endRow()
    at += source[at] === '\r' && source[at + 1] === '\n' ? 2 : 1
  }
  endRow()
  return rows
}

function separatorOf(source: string): string {
  const counts = new Map<string, number>(SEPARATORS.map((separator) => [separator, 0]))
  let isQuoted = false
  for (const sign of source) {
    if (sign === '"') isQuoted = !isQuoted
    else if (!isQuoted && (sign === '\n' || sign === '\r')) break
    else if (!isQuoted && counts.has(sign)) counts.set(sign, counts.get(sign)! + 1)
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}

/** The rows as CSV with a byte order mark, from which Excel recognises UTF-8. */
export function writeCsv(rows: CsvRow[]): string {
  const field = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return `\uFEFF${rows.map((row) => row.map(field).join(',')).join('\r\n')}\r\n`
}

/** The text of a file: UTF-8, or the UTF-16 that Excel calls "Unicode text". */
export async function readText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes)
}
