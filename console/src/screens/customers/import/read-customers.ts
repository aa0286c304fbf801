import { headingWords } from '../../../components/file-columns/headings.ts'
import { amountIn } from '../../../components/forms/amount.ts'
import type { CsvRow, ReadRow } from '../../../csv.ts'
import { readDay } from '../../../dates.ts'

export const FIELDS = ['fullName', 'phone', 'openingDebt', 'birthday', 'email', 'note'] as const
export type Field = (typeof FIELDS)[number]
/** What each column of a file is; null for one that is skipped. */
export type Mapping = (Field | null)[]

/** A customer as the service takes it. */
export type ImportedCustomer = {
  fullName: string
  phone: string
  email: string
  birthday: string
  note: string
  openingDebt: number
}

/** A row of the file that can be sent, or the column that cannot be read. `line` counts from 1 in the file. */
export type CustomerRow = { line: number; customer: ImportedCustomer }
export type RowFault = { line: number; field: Field; text: string }

/** What shops and other programs call the columns, the likeliest name first. The screen's own names are among them. */
const USUAL_NAMES: Record<Field, string[]> = {
  fullName: [
    'Họ tên',
    'Tên khách hàng',
    'Họ và tên',
    'Tên khách',
    'Khách hàng',
    'Tên',
    'Full name',
    'Customer name',
    'Name',
  ],
  phone: ['Điện thoại', 'Số điện thoại', 'SĐT', 'Di động', 'Phone', 'Phone number', 'Mobile'],
  openingDebt: [
    'Nợ cũ',
    'Nợ cần thu hiện tại',
    'Nợ hiện tại',
    'Nợ cần thu',
    'Công nợ',
    'Còn nợ',
    'Nợ',
    'Debt',
    'Opening debt',
    'Balance',
  ],
  birthday: ['Ngày sinh', 'Sinh nhật', 'Birthday', 'Date of birth'],
  email: ['Email', 'E-mail', 'Thư điện tử'],
  note: ['Ghi chú', 'Địa chỉ', 'Note', 'Notes', 'Address'],
}

/**
 * What the columns of a file are, by their headings. Of two columns that may be the same one, the likelier is chosen; of notes, all
 * are, since they are joined.
 */
export function guessMapping(header: CsvRow): Mapping {
  const words = header.map(headingWords)
  const mapping: Mapping = header.map(() => null)
  for (const field of FIELDS) {
    for (const name of USUAL_NAMES[field].map(headingWords)) {
      const at = words.findIndex((heading, column) => heading === name && mapping[column] === null)
      if (at !== -1) mapping[at] = field
      if (at !== -1 && field !== 'note') break
    }
  }
  return mapping
}

/** Fields that two columns are said to be. Several columns may be the note. */
export function chosenTwice(mapping: Mapping): Field[] {
  const chosen = mapping.filter((field) => field !== null && field !== 'note')
  return [...new Set(chosen.filter((field, at) => chosen.indexOf(field) !== at))] as Field[]
}

/**
 * The rows of a file below its header, as customers. A day is read as people write it, an amount too; a debt below 0 is what the
 * shop owes the customer, which is not recorded: `owedByShop` counts them. Rows without a name and a number are left out.
 */
export function readCustomers(
  { header, rows }: { header: CsvRow; rows: readonly ReadRow[] },
  mapping: Mapping,
  today: string,
): { customers: CustomerRow[]; faults: RowFault[]; owedByShop: number } {
  const customers: CustomerRow[] = []
  const faults: RowFault[] = []
  let owedByShop = 0
  for (const { row, line } of rows) {
    const cell = (field: Field) => (row[mapping.indexOf(field)] ?? '').trim()
    const has = (field: Field) => mapping.includes(field) && cell(field) !== ''
    if (!has('fullName') && !has('phone')) continue
    const birthday = has('birthday')
      ? readDay(cell('birthday').replace(/ \d{1,2}:\d{2}(:\d{2})?$/, ''), today)
      : ''
    const debt = has('openingDebt') ? readDebt(cell('openingDebt')) : 0
    if (birthday === undefined) faults.push({ line, field: 'birthday', text: cell('birthday') })
    if (debt === undefined) faults.push({ line, field: 'openingDebt', text: cell('openingDebt') })
    if (birthday === undefined || debt === undefined) continue
    if (debt < 0) owedByShop += 1
    const phone = has('phone') ? cell('phone') : ''
    customers.push({
      line,
      customer: {
        fullName: has('fullName') ? cell('fullName') : phone,
        phone,
        email: has('email') ? cell('email') : '',
        birthday,
        note: noteOf(header, row, mapping),
        openingDebt: Math.max(debt, 0),
      },
    })
  }
  return { customers, faults, owedByShop }
}

/** Whole đồng; a fraction, as other programs compute it, is rounded. */
function readDebt(text: string): number | undefined {
  const [, sign = '', whole, part = ''] = /^\s*([-−]?)\s*(\d+)[.,](\d{1,2}|\d{4,})\s*$/.exec(text) ?? []
  if (whole === undefined) return amountIn(text)
  return Math.round(Number(`${sign === '' ? '' : '-'}${whole}.${part}`))
}

/** The columns that are the note, one a line; each but the first with its heading. */
function noteOf(header: CsvRow, row: CsvRow, mapping: Mapping): string {
  const columns = mapping.flatMap((field, at) => (field === 'note' ? [at] : []))
  const filled = columns.filter((at) => (row[at] ?? '').trim() !== '')
  return filled
    .map((at) => (columns.length === 1 ? row[at]!.trim() : `${header[at]!.trim()}: ${row[at]!.trim()}`))
    .join('\n')
}
