import { type CsvRow, csvField, readCsv, readText, separatorOf } from '../../../csv.ts'
import { type Column, exportedStock, isOfFileOnly, type Mapping } from './columns.ts'
import { type FileRow, linesOf, rowReader, type ServiceLine, variantColumns } from './product-lines.ts'
import { readStock, readWhole } from './read-cell.ts'

const BEGINNING_BYTES = 1024 * 1024
const SHOWN_ROWS = 3
/** How long a file is converted before the page gets its turn. */
const BUSY_MS = 30
const ROWS_AT_ONCE = 200
const CHARACTERS_AT_ONCE = 50_000

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

/** A file as the service reads it, and what became of the person's rows. */
export type Converted = {
  file: File
  /** Rows whose stock was below 0 or had a fraction ({@link readStock}). */
  changedStocks: number
  /** Rows that are variants of products, and the number of these products. */
  variants: { rows: number; products: number }
  /** Rows that are units of several pieces: products of their own, without their stock. */
  units: number
  /** Rows without the id of a product, whose stock in an exported file is skipped ({@link exportedStock}). */
  skippedStocks: number
  /** How many columns more the person's file has, or fewer. */
  moreColumns: number
}

/**
 * The file as the service reads it: its chosen columns under the service's names, with commas, the rows of one product together, each
 * with the number of its line in the person's file. A row with more cells than the header keeps the surplus, so that the
 * service refuses it. 100,000 lines of 23 MB take 1 to 4 s, in which the page waits at most 0.4 s at a time.
 * @throws NotUtf8
 */
export async function convertFile(file: File, mapping: Mapping): Promise<Converted> {
  const text = await readText(file)
  if (text.includes('\uFFFD')) throw new NotUtf8()
  const pause = pauser()
  const { products, ...found } = await readProducts(text, mapping, pause)
  const columns = columnsOf(mapping, products)
  const parts: Blob[] = []
  let part = csvLine(columns)
  for (const rows of products) {
    for (const [at, cells] of linesOf(rows, mapping).entries()) {
      const { row, line } = rows[at]!
      const ofLine: ServiceLine = { ...cells, line: String(line) }
      part += csvLine([...columns.map((column) => ofLine[column] ?? ''), ...surplusOf(row, mapping.length)])
    }
    if (part.length < CHARACTERS_AT_ONCE) continue
    parts.push(new Blob([part]))
    part = ''
    await pause()
  }
  const name = file.name.replace(/(\.[^.]*)?$/, '.csv')
  return {
    file: new File([...parts, part], name, { type: 'text/csv' }),
    ...found,
    moreColumns: mapping.length - columns.length,
  }
}

/** The rows of each product, in the order of their first ones. */
async function readProducts(text: string, mapping: Mapping, pause: () => Promise<void>) {
  const read = rowReader(mapping)
  const stockAt = mapping.indexOf('openingStock')
  const products = new Map<string, FileRow[]>()
  const found = { changedStocks: 0, variants: { rows: 0, products: 0 }, units: 0, skippedStocks: 0 }
  const idAt = mapping.indexOf('productId')
  let skipped: number[] = []
  let isHeader = true
  let count = 0
  for (const { row, line } of readCsv(text)) {
    if (row.every((cell) => cell.trim() === '')) continue
    if (isHeader) {
      isHeader = false
      skipped = mapping.includes('openingStock') ? [] : exportedStock(row)
      continue
    }
    const fileRow = read(row, line)
    const rows = products.get(fileRow.key)
    if (rows === undefined) products.set(fileRow.key, [fileRow])
    else rows.push(fileRow)
    const isVariant = !fileRow.isUnit && fileRow.pairs.length > 0
    if (isVariant) found.variants.rows += 1
    if (isVariant && rows === undefined) found.variants.products += 1
    const stock = (row[stockAt] ?? '').trim()
    if (fileRow.isUnit) found.units += 1
    else if (readStock(stock) !== readWhole(stock)) found.changedStocks += 1
    const isNew = (row[idAt] ?? '').trim() === ''
    if (isNew && skipped.some((at) => !['', '0'].includes((row[at] ?? '').trim()))) found.skippedStocks += 1
    count += 1
    if (count % ROWS_AT_ONCE === 0) await pause()
  }
  return { products: [...products.values()], ...found }
}

/** The columns of the service's file: those that were chosen, and those that its variants need. */
function columnsOf(mapping: Mapping, products: FileRow[][]): Column[] {
  const columns = new Set<Column>(['line'])
  for (const column of mapping) if (column !== null && !isOfFileOnly(column)) columns.add(column)
  const variants = products.flat().filter(({ isUnit, pairs }) => !isUnit && pairs.length > 0)
  if (variants.length > 0) for (const column of variantColumns(mapping)) columns.add(column)
  const groups = variants.reduce((most, { pairs }) => Math.max(most, pairs.length), 0)
  for (let group = 1; group <= groups; group++) columns.add(`option${group}Name`).add(`option${group}Value`)
  return [...columns]
}

function csvLine(cells: CsvRow): string {
  return `${cells.map(csvField).join(',')}\n`
}

/** Gives the page its turn when the last one was {@link BUSY_MS} ago. */
function pauser(): () => Promise<void> {
  let busyUntil = performance.now() + BUSY_MS
  return async () => {
    if (performance.now() < busyUntil) return
    await new Promise((resolve) => setTimeout(resolve))
    busyUntil = performance.now() + BUSY_MS
  }
}

/** The cells after the last column, without empty ones at the end. */
function surplusOf(row: CsvRow, columns: number): CsvRow {
  const surplus = row.slice(columns)
  while (surplus.length > 0 && surplus.at(-1)!.trim() === '') surplus.pop()
  return surplus
}
