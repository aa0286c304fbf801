import type { WalletAlertRow, WalletEntryRow, WalletRow } from './sql.ts'

/** The wallet as its shop sees it (G-28); đồng. */
export function presentWallet(row: WalletRow) {
  return { balance: row.balance, held: row.held }
}

/** The threshold as its shop sees it (G-62); đồng. */
export function presentWalletAlert(row: WalletAlertRow) {
  return { __v: row.version, lowBelow: row.low_below }
}

/** A ledger entry as its shop sees it (G-28); đồng. */
export function presentWalletEntry(row: WalletEntryRow) {
  return {
    _id: row.id,
    id: row.id,
    type: row.type,
    amount: row.amount,
    heldChange: row.held_change,
    balanceAfter: row.balance_after,
    heldAfter: row.held_after,
    ...(row.type === 'late_capture' ? { owed: row.owed } : {}),
    messageId: row.message_id,
    note: row.note,
    createdAt: row.created_at.toISOString(),
  }
}
