import type { AudienceMember, Customer } from '../../../api/rows.ts'
import { type CsvRow, parseCsv } from '../../../csv.ts'
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
  /** The line number of the first row; in a file the header is line 1. */
  firstLine: number
}

export function sheetOfText(opened: number, name: string, text: string): Sheet {
  const [header = [], ...rows] = parseCsv(text)
  return { opened, name, header, columns: header.map((heading) => [heading]), rows, firstLine: 2 }
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
  debt: ['Số tiền nợ', 'Còn nợ', 'Số tiền còn nợ'],
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
  return { opened, name, ...columnsOf(names, headings), rows, firstLine: 1 }
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
  return { opened, name, ...columnsOf(['fullName', 'phone', 'birthday'], headings), rows, firstLine: 1 }
}

function columnsOf(names: ValueName[], headings: Record<ValueName, string>) {
  return {
    header: names.map((value) => headings[value]),
    columns: names.map((value) => [headings[value], ...USUAL_NAMES[value]]),
  }
}
