import type { CsvRow } from '../../../csv.ts'
import { fold } from '../../../texts/fold.ts'
import { type Column, isOfFileOnly, type Mapping, optionOf } from './columns.ts'
import { readCell } from './read-cell.ts'

/*
 * Other programs have a line for each variant, and no column that is the product: KiotViet has `MÀU:ĐỎ|CỠ:L` under
 * "Thuộc tính" and the code of the product's first line under "Mã HH Liên quan"; Sapo has columns of options, and the
 * name on the product's first line only. Here such lines become the service's, which have the product and its SKU (G-37).
 */

type Pair = { name: string; value: string }
/** A row of the file, and what it is. */
export type FileRow = {
  row: CsvRow
  /** The number of its line in the file. */
  line: number
  /** What the lines of one product have in common. */
  key: string
  /** The options of its variant; none for a product without variants. */
  pairs: Pair[]
  /** Whether it is a unit of several pieces of another line. */
  isUnit: boolean
}
/** A line as the service reads it: its cells by column. */
export type ServiceLine = Partial<Record<Column, string>>

/** The columns of a variant's SKU, and what they are in a file whose lines are variants. */
const OF_SKU = {
  skuPrice: 'price',
  skuOriginPrice: 'originPrice',
  skuCode: 'itemSku',
  skuBarcode: 'barcode',
} as const
/** What each line of a product keeps; anything else is on its first line. */
const ON_EACH_LINE: Column[] = ['openingStock', 'unitCost', 'skuId', 'skuName', ...Object.keys(OF_SKU)]
/** The name of an option whose file has none. */
const ATTRIBUTE = 'Thuộc tính'

/** The column of the file from which a column of the service was made. */
export function sourceOf(column: Column): Column | undefined {
  if (column === 'productKey') return 'relatedCode'
  if (column === 'skuName' || optionOf(column) !== undefined) return 'attributes'
  return OF_SKU[column as keyof typeof OF_SKU]
}

/** The columns of the service that variants need, beside those of their options. */
export function variantColumns(mapping: Mapping): Column[] {
  const ofSku = Object.entries(OF_SKU).flatMap(([column, source]) =>
    mapping.includes(source) ? [column] : [],
  )
  return ['productKey', 'skuName', ...ofSku]
}

/** Whether the lines of a file with these columns may be variants without a column that is their product. */
export function areVariants(mapping: Mapping): boolean {
  if (mapping.includes('attributes')) return true
  const hasProduct = mapping.includes('slug') || mapping.includes('productId')
  return !hasProduct && mapping.some((column) => column !== null && optionOf(column) !== undefined)
}

function cellOf(row: CsvRow, column: Column, mapping: Mapping): string {
  return (row[mapping.indexOf(column)] ?? '').trim()
}

/** Returns a function that is called with each row of a file in turn, and says what it is. */
export function rowReader(mapping: Mapping): (row: CsvRow, line: number) => FileRow {
  const mayBeVariants = areVariants(mapping)
  const cell = (row: CsvRow, column: Column) => cellOf(row, column, mapping)
  /** Of the last variant. A line without a name continues its product, one without names of options has its names. */
  let last = { key: '', names: new Map<number, string>() }

  function pairsOf(row: CsvRow): Pair[] {
    const attributes = cell(row, 'attributes')
    if (attributes !== '') return attributes.split('|').flatMap(pairOf)
    const names = new Map<number, string>()
    const pairs = mapping.flatMap((column, at) => {
      const option = column === null ? undefined : optionOf(column)
      const value = (row[at] ?? '').trim()
      if (option?.part !== 'Value' || value === '') return []
      const name = cell(row, `option${option.group}Name`) || last.names.get(option.group) || ATTRIBUTE
      names.set(option.group, name)
      return [{ name, value }]
    })
    last = { ...last, names }
    return pairs
  }

  function keyOf(row: CsvRow, pairs: Pair[]): string {
    const code = mapping.includes('relatedCode') ? cell(row, 'relatedCode') || cell(row, 'itemSku') : ''
    if (code !== '') return `code ${fold(code)}`
    const name = cell(row, 'name')
    return name === '' && last.key !== '' ? last.key : `name ${fold(nameOfProduct(name, pairs))}`
  }

  return (row, line) => {
    const base = cell(row, 'baseUnitCode')
    const isUnit = base !== '' && fold(base) !== fold(cell(row, 'itemSku'))
    const pairs = mayBeVariants ? pairsOf(row) : []
    if (isUnit || pairs.length === 0) return { row, line, key: `line ${line}`, pairs, isUnit }
    last = { ...last, key: keyOf(row, pairs) }
    return { row, line, key: last.key, pairs, isUnit }
  }
}

function pairOf(text: string): Pair[] {
  const [, name = '', value = ''] = /^([^:]*):(.*)$/s.exec(text) ?? [text, '', text]
  return value.trim() === '' ? [] : [{ name: name.trim() || ATTRIBUTE, value: value.trim() }]
}

/** `Áo thun` of `Áo thun - Đỏ - L`: some programs write the options of a variant behind the name. */
function nameOfProduct(name: string, pairs: Pair[]): string {
  const [first = '', ...others] = name.split(/\s+-\s+/)
  const values = pairs.map(({ value }) => fold(value))
  while (others.length > 0 && values.includes(fold(others.at(-1)!))) others.pop()
  return [first, ...others].join(' - ')
}

/** The service's lines of the rows that have one key, a line for each. */
export function linesOf(rows: FileRow[], mapping: Mapping): ServiceLine[] {
  const [{ pairs, isUnit }] = rows as [FileRow]
  return isUnit || pairs.length === 0 ? rows.map((one) => singleOf(one, mapping)) : variantsOf(rows, mapping)
}

function cellsOf(row: CsvRow, mapping: Mapping): ServiceLine {
  const cells: ServiceLine = {}
  for (const [at, column] of mapping.entries()) {
    if (column !== null && !isOfFileOnly(column)) cells[column] = readCell(column, row[at] ?? '')
  }
  return cells
}

/** A unit is a product of its own, with the unit in its name. Its pieces are in the stock of the other line already. */
function singleOf({ row, isUnit, pairs }: FileRow, mapping: Mapping): ServiceLine {
  const cells = cellsOf(row, mapping)
  if (!isUnit) return cells
  if ('openingStock' in cells) cells.openingStock = ''
  const name = [cells.name ?? '', ...pairs.map(({ value }) => value)].join(' ')
  const unit = cellOf(row, 'unit', mapping)
  const isNamed = unit === '' || fold(name).includes(fold(`(${unit})`))
  return cells.name ? { ...cells, name: isNamed ? name : `${name} (${unit})` } : cells
}

function variantsOf(rows: FileRow[], mapping: Mapping): ServiceLine[] {
  const ofRows = rows.map(({ row }) => cellsOf(row, mapping))
  const product = productOf(rows[0]!, ofRows)
  return rows.map(({ key, pairs }, at) => {
    const cells = ofRows[at]!
    const line: ServiceLine = { productKey: key, ...(at === 0 ? product : {}) }
    for (const column of ON_EACH_LINE) if (cells[column] !== undefined) line[column] = cells[column]
    for (const [column, source] of Object.entries(OF_SKU)) {
      if (cells[source] !== undefined) line[column] = cells[column] || cells[source]
    }
    line.skuName = cells.skuName || pairs.map(({ value }) => value).join(' / ')
    for (const [place, { name, value }] of pairs.entries()) {
      line[`option${place + 1}Name`] = name
      line[`option${place + 1}Value`] = value
    }
    return line
  })
}

/** What the lines of a product say of it: in each column the first text. It is on sale if one of its variants is. */
function productOf(first: FileRow, ofRows: ServiceLine[]): ServiceLine {
  const columns = Object.keys(ofRows[0]!).filter(
    (column) => !ON_EACH_LINE.includes(column) && optionOf(column) === undefined,
  )
  const product: ServiceLine = Object.fromEntries(
    columns.map((column) => [column, ofRows.map((cells) => cells[column]).find((text) => text) ?? '']),
  )
  if (ofRows.some(({ status }) => status === 'active')) product.status = 'active'
  // The codes are those of the variants.
  for (const column of ['itemSku', 'barcode']) if (column in product) product[column] = ''
  if (product.name) product.name = nameOfProduct(product.name, first.pairs)
  return product
}
