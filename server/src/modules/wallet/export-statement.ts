import type { Db } from '../../db/client.ts'
import { type ExportFile, exportChunks } from '../../http/formats/export-chunks.ts'
import type { Language } from '../../http/language.ts'
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

const FILE: ExportFile<(typeof COLUMNS)[number]> = {
  columns: COLUMNS,
  ids: ['messageId'],
  headings: ({ wallet }) => wallet,
  words: ({ walletEntry }) => ({ type: walletEntry }),
}

/**
 * The entries of a wallet in a period as CSV, oldest first, a chunk of lines at a time (G-28); amounts in đồng. With
 * `labels` it is written for people (G-121). Between two chunks nothing is locked or open in the database.
 */
export function exportStatement(
  db: Db,
  shopId: ObjectId,
  span: { from: Date; before: Date },
  labels: Language | undefined,
): AsyncGenerator<string, void> {
  return exportChunks(FILE, labels, {
    read: (after) => listWalletEntriesAfter(db, shopId, span, after, CHUNK),
    linesOf: (row: WalletEntryRow) => [lineOf(row)],
    hasMore: (rows) => rows.length === CHUNK,
  })
}

function lineOf(row: WalletEntryRow) {
  return {
    createdAt: row.created_at,
    type: row.type,
    amount: row.amount,
    heldChange: row.held_change,
    owed: row.owed,
    balanceAfter: row.balance_after,
    heldAfter: row.held_after,
    messageId: row.message_id,
    note: row.note,
  }
}
