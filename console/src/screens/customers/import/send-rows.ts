import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { FieldProblem } from '../../../texts/field-problem.ts'
import type { CustomerRow, Field } from './read-customers.ts'

/** The most that the service takes at once (G-125). */
const AT_ONCE = 500

const COUNTS = ['created', 'completed', 'unchanged', 'failed', 'debts', 'debtsKept'] as const
export type Counts = Record<(typeof COUNTS)[number], number>
/** A row that the service refuses, by its line in the file. */
export type RefusedRow = { line: number; field: Field; problem: FieldProblem }
export type Result = { counts: Counts; refused: RefusedRow[] }

/**
 * Sends the rows in turns, each whole or not at all; a dry run only says what would happen. `onProgress` gets how many rows are
 * through. If a turn fails, those before it stay stored: the same rows can be sent again.
 */
export async function sendRows(
  rows: readonly CustomerRow[],
  dryRun: boolean,
  onProgress: (done: number) => void,
): Promise<Result> {
  const counts: Counts = { created: 0, completed: 0, unchanged: 0, failed: 0, debts: 0, debtsKept: 0 }
  const refused: RefusedRow[] = []
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    const part = rows.slice(start, start + AT_ONCE)
    const body = { customers: part.map(({ customer }) => customer), dryRun }
    const { data } = await dataOf(api.POST('/api/external/v1/customers/import', { body }))
    for (const name of COUNTS) counts[name] += data[name]
    for (const { row, field, message, rule, values } of data.errors) {
      // The line of a row that an earlier one repeats is the file's, not the turn's.
      const own =
        values?.line === undefined ? values : { ...values, line: part[Number(values.line) - 1]!.line }
      const problem = { key: field, message, rule, values: own } as FieldProblem
      refused.push({ line: part[row - 1]!.line, field: field as Field, problem })
    }
    onProgress(start + part.length)
  }
  return { counts, refused }
}
