import { headingWords } from '../../../components/file-columns/headings.ts'
import type { CsvRow } from '../../../csv.ts'

/** The service's columns (server/src/modules/product-files/format/lines.ts), the usual ones first. */
export const FIELDS = [
  'name',
  'price',
  'originPrice',
  'itemSku',
  'barcode',
  'category',
  'openingStock',
  'unitCost',
  'description',
  'vat',
  'images',
  'status',
  'aliasName',
  'skuName',
  'skuPrice',
  'skuOriginPrice',
  'skuCode',
  'skuBarcode',
  'productId',
  'skuId',
  'slug',
] as const
export type Field = (typeof FIELDS)[number]
/** Columns of other programs that make variants or units of several lines, from which the service's are made. */
export const FILE_FIELDS = ['attributes', 'relatedCode', 'unit', 'baseUnitCode'] as const
type FileField = (typeof FILE_FIELDS)[number]
/** One of {@link FIELDS} or {@link FILE_FIELDS}, or `option1Name`, `option1Value` … up to 20. */
export type Column = string
/** What each column of a file is; null for one that is skipped. */
export type Mapping = (Column | null)[]

const OPTION = /^option([1-9]|1\d|20)(Name|Value)$/

/** The number and part of a column such as `option1Name`; undefined for another one. */
export function optionOf(column: Column): { group: number; part: 'Name' | 'Value' } | undefined {
  const [, group, part] = OPTION.exec(column) ?? []
  return group === undefined ? undefined : { group: Number(group), part: part as 'Name' | 'Value' }
}

export function isField(column: Column): column is Field {
  return (FIELDS as readonly string[]).includes(column)
}

export function isOfFileOnly(column: Column): column is FileField {
  return (FILE_FIELDS as readonly string[]).includes(column)
}

function isServices(column: Column): boolean {
  return isField(column) || OPTION.test(column)
}

/** Whether the service itself knows all columns. */
export function isServicesHeader(header: CsvRow): boolean {
  return header.length > 0 && header.every((heading) => isServices(heading.trim()))
}

/** What shops and other programs call the columns, the likeliest name first. The screen's own names are among them. */
const USUAL_NAMES: Partial<Record<Field | FileField, string[]>> = {
  name: [
    'Tên sản phẩm',
    'Tên hàng',
    'Tên hàng hóa',
    'Tên',
    'Tên mặt hàng',
    'Sản phẩm',
    'Product name',
    'Item name',
    'Name',
    'Product',
    'Title',
  ],
  price: [
    'Giá bán',
    'Giá bán lẻ',
    'Đơn giá',
    'Giá',
    'Giá tiền',
    'Price',
    'Selling price',
    'Sale price',
    'Retail price',
    'Unit price',
  ],
  originPrice: [
    'Giá so sánh',
    'Giá niêm yết',
    'Giá gốc',
    'Giá cũ',
    'Giá thị trường',
    'Compare-at price',
    'Original price',
    'List price',
  ],
  itemSku: [
    'Mã sản phẩm',
    'Mã hàng',
    'Mã hàng hóa',
    'Mã SKU',
    'SKU',
    'Mã',
    'Product code',
    'Item code',
    'Code',
  ],
  barcode: ['Mã vạch', 'Barcode', 'Bar code', 'EAN', 'UPC', 'GTIN'],
  category: [
    'Danh mục',
    'Nhóm hàng',
    'Nhóm sản phẩm',
    'Ngành hàng',
    'Nhóm',
    'Loại sản phẩm',
    'Loại hàng',
    'Loại',
    'Category',
    'Product category',
    'Product type',
    'Group',
  ],
  openingStock: [
    'Tồn kho ban đầu',
    'Tồn kho',
    'Tồn',
    'Tồn đầu kỳ',
    'Số lượng tồn',
    'Số lượng',
    'SL',
    'Opening stock',
    'Stock',
    'Quantity',
    'Qty',
    'Inventory',
  ],
  unitCost: [
    'Giá vốn',
    'Giá nhập',
    'Giá mua',
    'Giá vốn trung bình',
    'Cost price',
    'Unit cost',
    'Cost',
    'Purchase price',
  ],
  description: ['Mô tả', 'Mô tả sản phẩm', 'Mô tả chi tiết', 'Description', 'Details'],
  vat: ['VAT (%)', 'VAT', 'Thuế suất', 'Thuế GTGT', 'Thuế VAT', 'Thuế', 'Tax', 'Tax rate', 'VAT rate'],
  images: ['Hình ảnh', 'Ảnh', 'Hình', 'Ảnh sản phẩm', 'Images', 'Image', 'Picture', 'Image URL'],
  status: ['Trạng thái', 'Đang bán', 'Đang kinh doanh', 'Status', 'On sale'],
  aliasName: ['Tên khác', 'Other name', 'Alias'],
  skuName: ['Tên phiên bản', 'Variant name'],
  skuPrice: ['Giá phiên bản', 'Variant price'],
  skuOriginPrice: ['Giá so sánh của phiên bản', 'Variant compare-at price'],
  skuCode: ['Mã phiên bản', 'Variant code', 'Variant SKU'],
  skuBarcode: ['Mã vạch phiên bản', 'Variant barcode'],
  slug: ['Đường dẫn', 'Slug', 'Handle'],
  // Not "ID sản phẩm": other programs have ids of their own.
  productId: ['ID sản phẩm, xin giữ nguyên', 'Product ID, do not change'],
  skuId: ['ID phiên bản, xin giữ nguyên', 'Variant ID, do not change'],
  attributes: ['Thuộc tính', 'Attributes'],
  relatedCode: ['Mã hàng liên quan', 'Mã HH liên quan', 'Mã sản phẩm liên quan', 'Related code'],
  unit: ['Đơn vị tính', 'ĐVT', 'Đơn vị', 'Unit'],
  baseUnitCode: [
    'Mã hàng của đơn vị cơ bản',
    'Mã ĐVT cơ bản',
    'Mã đơn vị tính cơ bản',
    'Code of the base unit',
  ],
}

/** Names that contain one of the above but are something else, which an import does not have. */
const OTHER_NAMES = [
  'Giá sỉ',
  'Giá bán sỉ',
  'Giá bán buôn',
  'Wholesale price',
  'Giá trị tồn',
  'Giá trị tồn kho',
  'Số lượng bán',
  'Số lượng đã bán',
  'Tồn kho tối thiểu',
  'Tồn kho tối đa',
  'Tồn nhỏ nhất',
  'Tồn lớn nhất',
  'Định mức tồn',
  'Mã nhóm hàng',
  'Mã danh mục',
  'Quy đổi',
]

/** What the console’s own export, Sapo and Haravan call the columns of options, in folded words. */
const OPTION_NAMES: [pattern: RegExp, part: 'Name' | 'Value'][] = [
  [/^(?:ten nhom lua chon|name of option group) (\d+)$/, 'Name'],
  [/^(?:lua chon cua nhom|option of group) (\d+)$/, 'Value'],
  [/^(?:ten )?thuoc tinh (\d+)$/, 'Name'],
  [/^gia tri thuoc tinh (\d+)$/, 'Value'],
  [/^option ?(\d+) name$/, 'Name'],
  [/^option ?(\d+) value$/, 'Value'],
]

type Name = { words: string; field: Field | FileField | undefined; rank: number }
const NAMES: Name[] = [
  ...[...FIELDS, ...FILE_FIELDS].flatMap((field) =>
    (USUAL_NAMES[field] ?? []).map((name, rank) => ({ words: headingWords(name), field, rank })),
  ),
  ...OTHER_NAMES.map((name) => ({ words: headingWords(name), field: undefined, rank: 0 })),
]
/** Any exact name is likelier than a name that the heading only contains. */
const CONTAINED = 100

type Guess = { column: Column; rank: number }

function guess(heading: string): Guess | undefined {
  if (isServices(heading.trim())) return { column: heading.trim(), rank: -1 }
  const words = headingWords(heading)
  const exact = NAMES.find((name) => name.words === words)
  if (exact !== undefined) return exact.field && { column: exact.field, rank: exact.rank }
  for (const [pattern, part] of OPTION_NAMES) {
    const column = `option${pattern.exec(words)?.[1]}${part}`
    if (OPTION.test(column)) return { column, rank: 0 }
  }
  // A single word such as "giá" is part of too many other names.
  const contained = NAMES.filter(
    (name) => name.words.includes(' ') && ` ${words} `.includes(` ${name.words} `),
  ).sort((one, other) => other.words.length - one.words.length)[0]
  return contained?.field && { column: contained.field, rank: CONTAINED + contained.rank }
}

/** What an export for people calls the pieces in all warehouses, and those of them that are available. */
const STOCK_NAMES = ['Tồn kho', 'Khả dụng', 'Stock', 'Available'].map(headingWords)

/**
 * The places of the columns of stock in a file that was exported for people, which has the ids of its products. Their pieces are
 * those of all warehouses at that time, and would be booked once more in a warehouse that had none of them.
 */
export function exportedStock(header: CsvRow): number[] {
  if (!header.some((heading) => guess(heading)?.column === 'productId')) return []
  return header.flatMap((heading, at) => (STOCK_NAMES.includes(headingWords(heading)) ? [at] : []))
}

/**
 * What the columns of a file probably are, by their headings. Of two columns that may be the same one, the likelier
 * is chosen. `isCertain`: every heading with a text is a usual name, so that nobody needs to be asked.
 * The stock in a file exported for people is skipped ({@link exportedStock}).
 */
export function guessMapping(header: CsvRow): { mapping: Mapping; isCertain: boolean } {
  const guesses = header.map(guess)
  const likeliest = new Map<Column, Guess>()
  for (const one of guesses) {
    if (one !== undefined && one.rank < (likeliest.get(one.column)?.rank ?? Number.POSITIVE_INFINITY))
      likeliest.set(one.column, one)
  }
  const stock = exportedStock(header)
  const mapping = guesses.map((one, at) =>
    one !== undefined && likeliest.get(one.column) === one && !stock.includes(at) ? one.column : null,
  )
  const isCertain =
    mapping.some((column) => column !== null) &&
    header.every(
      (heading, at) =>
        heading.trim() === '' ||
        stock.includes(at) ||
        (mapping[at] !== null && guesses[at]!.rank < CONTAINED),
    )
  return { mapping, isCertain }
}

/** Whether a column is an amount of money. */
export function isMoney(column: Column): boolean {
  return /(price|cost)$/i.test(column)
}

/** The columns that two columns of the file are said to be. */
export function chosenTwice(mapping: Mapping): Column[] {
  const chosen = mapping.filter((column) => column !== null)
  return [...new Set(chosen.filter((column, at) => chosen.indexOf(column) !== at))]
}
