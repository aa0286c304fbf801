import type { Db } from '../../../db/client.ts'
import { csvLines } from '../../../lib/csv.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { type ErrorRow, listErrorsAfter } from './sql.ts'

const CHUNK = 1_000
const COLUMNS = ['line', 'column', 'message']

/** All errors of an import as CSV, in the order of the file, a chunk at a time. */
export async function* exportErrors(
  db: Db,
  shopId: ObjectId,
  importId: ObjectId,
): AsyncGenerator<string, void> {
  let rows = await listErrorsAfter(db, shopId, importId, 0, CHUNK)
  yield csvLines(COLUMNS, rows.map(lineOf), { header: true })
  while (rows.length === CHUNK) {
    rows = await listErrorsAfter(db, shopId, importId, rows.at(-1)!.n, CHUNK)
    if (rows.length > 0) yield csvLines(COLUMNS, rows.map(lineOf))
  }
}

function lineOf({ line, column, message }: ErrorRow) {
  return { line, column, message }
}
