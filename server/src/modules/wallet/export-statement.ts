import type { Db } from '../../db/client.ts'
import { csvLines } from '../../lib/csv.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { listWalletEntriesAfter, type WalletEntryRow } from './sql.ts'

const CHUNK = 1_000
const COLUMNS = [
  'createdAt',
  'type',
  'amount',
  'heldChange',
  'owed',
  'balanceAfter',
  'heldAfter',
  'messageId',
  'note',
] as const

/**
 * The entries of a wallet in a period as CSV, oldest first, a chunk of lines at a time (G-28); amounts in đồng. Between
 * two chunks nothing is locked or open in the database.
 */
export async function* exportStatement(
  db: Db,
  shopId: ObjectId,
  span: { from: Date; before: Date },
): AsyncGenerator<string, void> {
  let rows = await listWalletEntriesAfter(db, shopId, span, undefined, CHUNK)
  yield csvLines(COLUMNS, rows.map(lineOf), { header: true })
  while (rows.length === CHUNK) {
    rows = await listWalletEntriesAfter(db, shopId, span, rows.at(-1), CHUNK)
    if (rows.length > 0) yield csvLines(COLUMNS, rows.map(lineOf))
  }
}

function lineOf(row: WalletEntryRow): Record<(typeof COLUMNS)[number], string | number> {
  return {
    createdAt: row.created_at.toISOString(),
    type: row.type,
    amount: row.amount,
    heldChange: row.held_change,
    owed: row.owed,
    balanceAfter: row.balance_after,
    heldAfter: row.held_after,
    messageId: row.message_id ?? '',
    note: row.note,
  }
}
