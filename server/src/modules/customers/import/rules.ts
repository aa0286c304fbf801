import { invalidField, type Problem, ValidationError } from '../../../errors.ts'
import { type CustomerFields, customerSearch, storedFields } from '../rules.ts'

/** A row as a caller sends it; `openingDebt` in đồng. */
export type GivenRow = Pick<CustomerFields, 'fullName'> &
  Partial<Pick<CustomerFields, 'phone' | 'email' | 'birthday' | 'note'>> & { openingDebt?: number }

/** A row to store: fields as `storedFields` returns them, `search` from `customerSearch`. */
export type ReadRow = Required<GivenRow> & { row: number; search: string }

export type RowProblem = { row: number; problem: Problem }

const LENGTHS = { fullName: 200, phone: 40, email: 254, note: 5_000 } as const

/**
 * The rows that can be stored, and why the others cannot (G-125). `row` counts from 1. Of two rows for one customer, the later one
 * has a problem.
 */
export function readRows(given: readonly GivenRow[], now: Date): { rows: ReadRow[]; problems: RowProblem[] } {
  const rows: ReadRow[] = []
  const problems: RowProblem[] = []
  const rowOf = new Map<string, number>()
  for (const [at, one] of given.entries()) {
    const row = at + 1
    try {
      const read = readRow(one, row, now)
      const key = customerKey(read)
      const earlier = rowOf.get(key)
      if (earlier !== undefined) {
        throw invalidField([read.phone === '' ? 'fullName' : 'phone'], 'import.customerOfRow', {
          line: earlier,
        })
      }
      rowOf.set(key, row)
      rows.push(read)
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error
      problems.push({ row, problem: error.problems[0]! })
    }
  }
  return { rows, problems }
}

function readRow(given: GivenRow, row: number, now: Date): ReadRow {
  const { fullName, phone = '', email = '', birthday = '', note = '' } = storedFields(given, now)
  const fields = { fullName, phone, email, birthday, note }
  for (const [field, limit] of Object.entries(LENGTHS)) {
    const value = fields[field as keyof typeof LENGTHS]
    if (value.length > limit) throw invalidField([field], 'string.max', { limit })
  }
  return { ...fields, openingDebt: given.openingDebt ?? 0, row, search: customerSearch(fullName, phone) }
}

/** By which rows and customers are the same: the phone number, or without one the name. */
function customerKey({ phone, search }: ReadRow): string {
  return phone === '' ? `name ${search}` : `phone ${phone}`
}
