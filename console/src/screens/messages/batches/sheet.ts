import type { AudienceMember } from '../../../api/rows.ts'
import { type CsvRow, parseCsv } from './csv.ts'

/** The rows of a batch, wherever they come from. */
export type Sheet = {
  /** Its number among those opened here, as a corrected file has the same name. */
  opened: number
  name: string
  header: CsvRow
  /** What each column may be called, folded or not; its heading is the first. */
  columns: string[][]
  rows: CsvRow[]
  /** What the first row is called: in a file the header is 1. */
  firstLine: number
}

export function sheetOfText(opened: number, name: string, text: string): Sheet {
  const [header = [], ...rows] = parseCsv(text)
  return { opened, name, header, columns: header.map((heading) => [heading]), rows, firstLine: 2 }
}

type ValueName = keyof AudienceMember['values']

/** The names that templates often give to what is known of a customer. */
const USUAL_NAMES: Record<ValueName, string[]> = {
  fullName: ['customer_name', 'Tên khách hàng', 'Tên khách', 'Họ và tên', 'Tên', 'name'],
  phone: ['customer_phone', 'Số điện thoại khách hàng', 'SĐT', 'phone'],
  birthday: ['Sinh nhật', 'birthday'],
  lastOrderCode: ['order_code', 'Mã đơn hàng', 'Mã đơn'],
  lastOrderDate: ['order_date', 'Ngày đặt hàng', 'Ngày mua'],
  lastOrderPrice: ['total_amount', 'Tổng tiền', 'Giá trị đơn hàng'],
  debt: ['Số tiền nợ', 'Còn nợ', 'Số tiền còn nợ'],
}

/** Customers of an audience, a row each, with what is known of them in columns. */
export function sheetOfMembers(
  opened: number,
  name: string,
  members: AudienceMember[],
  headings: Record<ValueName, string>,
): Sheet {
  const names = Object.keys(USUAL_NAMES) as ValueName[]
  return {
    opened,
    name,
    header: names.map((value) => headings[value]),
    columns: names.map((value) => [headings[value], ...USUAL_NAMES[value]]),
    rows: members.map(({ values }) => names.map((value) => values[value])),
    firstLine: 1,
  }
}
