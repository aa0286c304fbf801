import type { Db } from '../../db/client.ts'
import { csvLines } from '../../lib/csv.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { presentCustomer } from './present.ts'
import { type CustomerFilter, listCustomersAfter } from './sql.ts'

/** About 100 KB of text. */
const CHUNK = 500

const COLUMNS = [
  'id',
  'fullName',
  'phone',
  'email',
  'birthday',
  'note',
  'avatar',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof ReturnType<typeof presentCustomer>)[]

/**
 * The customers of a filter as CSV, newest first, a chunk of lines at a time (G-46): UTF-8 with a byte order mark, CRLF, texts in
 * quotes. A text that a spreadsheet would interpret as a formula is prefixed with an apostrophe. Customers created in the meantime
 * are not included; between two chunks nothing is locked or open in the database.
 */
export async function* exportCustomers(
  db: Db,
  shopId: ObjectId,
  filter: CustomerFilter,
): AsyncGenerator<string, void> {
  let rows = await listCustomersAfter(db, shopId, filter, undefined, CHUNK)
  yield csvLines(COLUMNS, rows.map(presentCustomer), { header: true })
  while (rows.length === CHUNK) {
    rows = await listCustomersAfter(db, shopId, filter, rows.at(-1), CHUNK)
    if (rows.length > 0) yield csvLines(COLUMNS, rows.map(presentCustomer))
  }
}
