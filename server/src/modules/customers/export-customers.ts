import type { Db } from '../../db/client.ts'
import { type ExportFile, exportChunks } from '../../http/formats/export-chunks.ts'
import type { Language } from '../../http/language.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { type ExportedDebtor, listDebtorsAfter } from './debtors-sql.ts'
import { type CustomerFilter, type ExportedCustomer, listCustomersAfter } from './sql.ts'

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
  'debt',
] as const

const FILE: ExportFile<(typeof COLUMNS)[number]> = {
  columns: COLUMNS,
  ids: ['id'],
  headings: ({ customers }) => customers,
}

/**
 * The customers of a filter as CSV, newest first, a chunk of lines at a time (G-46): UTF-8 with a byte order mark, CRLF, texts in
 * quotes. A text that a spreadsheet would interpret as a formula is prefixed with an apostrophe. With `labels` it is written for
 * people (G-121). Customers created in the meantime are not included; between two chunks nothing is locked or open in the database.
 */
export function exportCustomers(
  db: Db,
  shopId: ObjectId,
  filter: CustomerFilter,
  labels: Language | undefined,
): AsyncGenerator<string, void> {
  return exportChunks(FILE, labels, {
    read: (after: ExportedCustomer | undefined) => listCustomersAfter(db, shopId, filter, after, CHUNK),
    linesOf: (row) => [lineOf(row)],
    hasMore: (rows) => rows.length === CHUNK,
  })
}

/**
 * As {@link exportCustomers}, only the customers who owe something when their chunk is read. A chunk may have fewer lines than others,
 * or none, because a search applies to the debtors that it walks over.
 */
export function exportDebtors(
  db: Db,
  shopId: ObjectId,
  filter: CustomerFilter,
  labels: Language | undefined,
): AsyncGenerator<string, void> {
  let next: ObjectId | null | undefined
  return exportChunks(FILE, labels, {
    async read() {
      const { debtors, last } = await listDebtorsAfter(db, shopId, filter, next ?? undefined, CHUNK)
      next = last
      return debtors
    },
    linesOf: (row) => [lineOf(row)],
    hasMore: () => next !== null,
  })
}

function lineOf(row: ExportedDebtor) {
  return {
    id: row.id,
    fullName: row.full_name,
    phone: row.phone,
    email: row.email,
    birthday: row.birthday,
    note: row.note,
    avatar: row.avatar,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    debt: row.debt,
  }
}
