import type { AudienceMember, Customer } from '../../../api/rows.ts'
import { type CsvRow, type ReadRow, readCsv } from '../../../csv.ts'
import { formatPhone } from '../../../format.ts'

/** The rows of a batch, from any source. */
export type Sheet = {
  /** The number of this sheet among those opened here, because a corrected file has the same name. */
  opened: number
  name: string
  header: CsvRow
  /** The possible names of each column, folded or not; the first is its heading. */
  columns: string[][]
  rows: CsvRow[]
  /** The number of each row: in a file its line, otherwise its place in the list. */
  lines: number[]
  /** Why the text cannot be read; it then has no rows. */
  fault?: SheetFault
}

/** `quote`: the field that begins in this line has no closing quote, so the rest of the file would be its text. */
export type SheetFault = { kind: 'workbook' | 'encoding' | 'unread' } | { kind: 'quote'; line: number }

/** Reads the text of a CSV file or pasted rows. Empty rows are left out. */
export function sheetOfText(opened: number, name: string, text: string): Sheet {
  const read = [...readCsv(text)]
  const fault = faultOf(text, read.at(-1))
  const filled = fault === undefined ? read.filter(({ row }) => row.some((field) => field.trim() !== '')) : []
  const [header = [], ...rows] = filled.map(({ row }) => row)
  const lines = filled.slice(1).map(({ line }) => line)
  return {
    opened,
    name,
    header,
    columns: header.map((heading) => [heading]),
    rows,
    lines,
    ...(fault && { fault }),
  }
}

/** The sheet of a file that the browser could not read, such as one that is gone, or a folder. */
export function unreadSheet(opened: number, name: string): Sheet {
  return { opened, name, header: [], columns: [], rows: [], lines: [], fault: { kind: 'unread' } }
}

/** How the files of a spreadsheet begin, read as UTF-8: the ZIP file that .xlsx is, and .xls. */
const WORKBOOKS = ['PK\u0003\u0004', '\uFFFD\uFFFD\u0011']

function faultOf(text: string, last: ReadRow | undefined): SheetFault | undefined {
  if (WORKBOOKS.some((beginning) => text.startsWith(beginning))) return { kind: 'workbook' }
  if (text.includes('\uFFFD') || text.includes('\0')) return { kind: 'encoding' }
  return last?.isUnclosed ? { kind: 'quote', line: last.line } : undefined
}

function counted(rows: CsvRow[]): number[] {
  return rows.map((_, index) => index + 1)
}

type ValueName = keyof AudienceMember['values']

/** The names that templates often use for a customer's data. */
const USUAL_NAMES: Record<ValueName, string[]> = {
  fullName: ['customer_name', 'Tên khách hàng', 'Tên khách', 'Họ và tên', 'Tên', 'name'],
  phone: ['customer_phone', 'Số điện thoại khách hàng', 'SĐT', 'phone'],
  birthday: ['Sinh nhật', 'birthday'],
  lastOrderCode: ['order_code', 'Mã đơn hàng', 'Mã đơn'],
  lastOrderDate: ['order_date', 'Ngày đặt hàng', 'Ngày mua'],
  lastOrderPrice: ['total_amount', 'Tổng tiền', 'Giá trị đơn hàng'],
  debt: ['due_amount', 'Số tiền còn phải trả', 'Còn phải trả', 'Số tiền nợ', 'Còn nợ', 'Số tiền còn nợ'],
}

/** The customers of an audience as a sheet: one row each, with their known data in columns. */
export function sheetOfMembers(
  opened: number,
  name: string,
  members: AudienceMember[],
  headings: Record<ValueName, string>,
): Sheet {
  const names = Object.keys(USUAL_NAMES) as ValueName[]
  const rows = members.map(({ values }) => names.map((value) => values[value]))
  return { opened, name, ...columnsOf(names, headings), rows, lines: counted(rows) }
}

/** Customers with a phone number as a sheet: one row each, with their data as an audience has it. */
export function sheetOfCustomers(
  opened: number,
  name: string,
  customers: Customer[],
  headings: Record<ValueName, string>,
): Sheet {
  const rows = customers.map(({ fullName, phone, birthday }) => [
    fullName,
    formatPhone(phone).replaceAll(' ', ''),
    birthday.split('-').reverse().join('/'),
  ])
  return {
    opened,
    name,
    ...columnsOf(['fullName', 'phone', 'birthday'], headings),
    rows,
    lines: counted(rows),
  }
}

function columnsOf(names: ValueName[], headings: Record<ValueName, string>) {
  return {
    header: names.map((value) => headings[value]),
    columns: names.map((value) => [headings[value], ...USUAL_NAMES[value]]),
  }
}
