import { describe, expect, it } from 'vitest'
import type { Format } from '../import/rules.ts'
import type { Line } from './lines.ts'
import { readHeader, readLines } from './read-lines.ts'

async function* chunked(text: string): AsyncGenerator<Uint8Array, void> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 512 * 1024) yield bytes.subarray(at, at + 512 * 1024)
}

async function linesOf(text: string, format: Format): Promise<Line[]> {
  const lines = []
  for await (const line of readLines(chunked(text), format)) lines.push(line)
  return lines
}

describe('reading a stored file', () => {
  it.each([
    ['csv', `name\n${'a\n'.repeat(250_000)}`, 250_000],
    ['ndjson', '{}\n'.repeat(170_000), 170_000],
  ] as const)('the event loop turns every 16 KB of %s', async (format, text, count) => {
    let turns = 0
    let isOver = false
    const turn = () => {
      turns += 1
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    expect(await linesOf(text, format)).toHaveLength(count)
    isOver = true
    expect(turns).toBeGreaterThanOrEqual(text.length / (16 * 1024) - 1)
  })

  it.each([
    ['csv', (name: string) => `${name}\r\n`, '\ufeffname\r\n'],
    ['ndjson', (name: string) => `${JSON.stringify({ name })}\n`, ''],
  ] as const)(
    'characters of several bytes stay whole in %s, wherever the file is cut',
    async (format, lineOf, head) => {
      const names = Array.from({ length: 30_000 }, (_, n) => `ệ€😀${'x'.repeat(n % 7)}`)
      const lines = await linesOf(head + names.map(lineOf).join(''), format)
      expect(lines.map(({ cells }) => cells.name)).toEqual(names)
    },
  )
})

describe('JSON lines that are costly to read', () => {
  it.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('images nested 40,000 deep with %s are a wrong cell', async (open, close) => {
    const nested = `${open.repeat(40_000)}1${close.repeat(40_000)}`
    for (const images of [nested, `[${nested}]`]) {
      const [line] = await linesOf(`{"name":"A","images":${images}}\n{"name":"B"}`, 'ndjson')
      expect(line!.problem).toMatchObject({ column: 'images', rule: 'import.cellType' })
    }
  })

  it('images are a list of texts; a list of anything else is a wrong cell', async () => {
    const [good, wrong] = await linesOf('{"images":["https://a","b"]}\n{"images":["https://a",1]}', 'ndjson')
    expect(good).toEqual({ line: 1, cells: { images: '["https://a","b"]' } })
    expect(wrong!.problem).toMatchObject({ column: 'images', rule: 'import.cellType' })
  })

  it.each(['\n', ''])('a line of more than 100,000 values is too long, with %j at its end', async (end) => {
    const lineOf = (values: number) => `{"images":[${Array(values).fill('"a"').join(',')}]}${end}`
    await expect(linesOf(`{}\n${lineOf(100_001)}`, 'ndjson')).rejects.toMatchObject({
      failure: 'lineTooLong',
      values: { line: 2 },
    })
    expect(await linesOf(lineOf(90_000), 'ndjson')).toHaveLength(1)
  })

  it('a line of more than 2,000,000 characters is too long, also when its end has been read', async () => {
    for (const length of [2_000_000, 2_010_000]) {
      await expect(linesOf(`{"name":"${'a'.repeat(length)}"}\n`, 'ndjson')).rejects.toMatchObject({
        failure: 'lineTooLong',
      })
    }
  })
})

describe('the separator of a CSV file', () => {
  it.each([
    ['commas', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('is found in the first line: %s; a cell may contain the others', async (_, separator) => {
    const rows = [
      ['name', 'price', 'description'],
      ['Lụa, gấm; nhung\tthô', '1', ''],
      ['Đũi', '2', 'b'],
    ]
    const line = (cells: string[]) =>
      cells.map((cell) => (cell.includes(separator) ? `"${cell}"` : cell)).join(separator)
    const text = `\ufeff${rows.map(line).join('\r\n')}\r\n`
    expect(readHeader(Buffer.from(text))).toEqual(rows[0])
    expect(await linesOf(text, 'csv')).toEqual([
      { line: 2, cells: { name: rows[1]![0], price: '1', description: '' } },
      { line: 3, cells: { name: 'Đũi', price: '2', description: 'b' } },
    ])
  })
})

describe('CSV that cannot be read', () => {
  it.each([
    ['a quotation mark that is not closed', '"b,2\r\nc,3\r\n', 'quoteNotClosed'],
    ['text after a closing quotation mark', '"b"x,2\r\nc,3\r\n', 'quoteMisplaced'],
    ['a quotation mark within a text', 'b"x,2\r\nc,3\r\n', 'quoteMisplaced'],
    ['a row of more than 2,000,000 characters', `${'b'.repeat(2_000_010)},2\r\n`, 'lineTooLong'],
  ])('%s is refused with the line that its row begins on', async (_, rest, failure) => {
    await expect(linesOf(`name,price\r\n"two\r\nlines",1\r\n${rest}`, 'csv')).rejects.toMatchObject({
      failure,
      values: { line: 4 },
    })
  })
})

describe('the header of a CSV file', () => {
  it('is read from the beginning of the first chunk only', () => {
    expect(readHeader(Buffer.from(`name,price\n${'ệ,1\n'.repeat(100_000)}`))).toEqual(['name', 'price'])
    const cpuMs = (text: string) => {
      const { user } = process.cpuUsage()
      expect(() => readHeader(Buffer.from(text))).toThrow(expect.objectContaining({ failure: 'empty' }))
      return (process.cpuUsage().user - user) / 1_000
    }
    cpuMs(','.repeat(16_000))
    expect(cpuMs(','.repeat(500_000))).toBeLessThan(10 + 5 * cpuMs(','.repeat(16_000)))
  })
})
