import { type CsvRow, countLineBreaks, csvField, readCsv, readText, separatorOf } from '../../../csv.ts'
import type { Mapping } from './columns.ts'
import { readCell, readStock, readWhole } from './read-cell.ts'

const BEGINNING_BYTES = 1024 * 1024
const SHOWN_ROWS = 3
/** How long a file is converted before the page gets its turn. */
const BUSY_MS = 30
const ROWS_AT_ONCE = 200

/** The file is not UTF-8, so that letters are lost. */
export class NotUtf8 extends Error {}

/** The file has no content, or only empty lines. */
export class EmptyFile extends Error {}

/** The header and first rows of a file. `isCommas`: UTF-8 with commas, which the service itself reads. */
export type Beginning = { header: CsvRow; rows: CsvRow[]; isCommas: boolean }

/** @throws EmptyFile, NotUtf8 */
export async function readBeginning(file: Blob): Promise<Beginning> {
  const part = file.slice(0, BEGINNING_BYTES)
  const isUtf16 = [0xff, 0xfe].includes(new Uint8Array(await part.slice(0, 1).arrayBuffer())[0] ?? 0)
  const text = await readText(part)
  const rows: CsvRow[] = []
  for (const { row } of readCsv(text)) {
    if (row.some((cell) => cell.trim() !== '')) rows.push(row)
    if (rows.length > SHOWN_ROWS) break
  }
  const [header, ...others] = rows
  if (header === undefined) throw new EmptyFile('no rows')
  if (header.join('').includes('\uFFFD')) throw new NotUtf8()
  return {
    header,
    rows: others,
    isCommas: !isUtf16 && separatorOf(text) === ',' && !/^\uFEFF?sep=/i.test(text),
  }
}

/** Whether a file begins with nothing but spaces and empty lines. */
export async function isEmptyText(file: Blob): Promise<boolean> {
  return (await readText(file.slice(0, BEGINNING_BYTES))).trim() === ''
}

/**
 * The file as the service reads it: its chosen columns under the service's names, with commas. Each row keeps its line
 * number. A row with more cells than the header keeps the surplus, so that the service refuses it. `changedStocks` are the rows
 * whose stock was below 0 or had a fraction ({@link readStock}).
 * 100,000 lines of 23 MB take 1 to 4 s, in which the page waits at most 0.4 s at a time.
 * @throws NotUtf8
 */
export async function convertFile(
  file: File,
  mapping: Mapping,
): Promise<{ file: File; changedStocks: number }> {
  const text = await readText(file)
  if (text.includes('\uFFFD')) throw new NotUtf8()
  const chosen = mapping.flatMap((column, at) => (column === null ? [] : [{ column, at }]))
  const parts: Blob[] = []
  let part = `${chosen.map(({ column }) => column).join(',')}\n`
  let lines = 1
  let isHeader = true
  let count = 0
  let changedStocks = 0
  const stockAt = mapping.indexOf('openingStock')
  let busyUntil = performance.now() + BUSY_MS
  for (const { row, line } of readCsv(text)) {
    if (row.every((cell) => cell.trim() === '')) continue
    if (isHeader) {
      isHeader = false
      continue
    }
    const cells = chosen.map(({ column, at }) => readCell(column, row[at] ?? ''))
    cells.push(...surplusOf(row, mapping.length))
    part += `${'\n'.repeat(line - 1 - lines)}${cells.map(csvField).join(',')}\n`
    lines = line
    for (const cell of cells) lines += countLineBreaks(cell)
    count += 1
    const stock = (row[stockAt] ?? '').trim()
    if (readStock(stock) !== readWhole(stock)) changedStocks += 1
    if (count % ROWS_AT_ONCE === 0 && performance.now() > busyUntil) {
      parts.push(new Blob([part]))
      part = ''
      await new Promise((resolve) => setTimeout(resolve))
      busyUntil = performance.now() + BUSY_MS
    }
  }
  const name = file.name.replace(/(\.[^.]*)?$/, '.csv')
  return { file: new File([...parts, part], name, { type: 'text/csv' }), changedStocks }
}

/** The cells after the last column, without empty ones at the end. */
function surplusOf(row: CsvRow, columns: number): CsvRow {
  const surplus = row.slice(columns)
  while (surplus.length > 0 && surplus.at(-1)!.trim() === '') surplus.pop()
  return surplus
}
