import type { ClosingRow } from './sql.ts'

export function presentClosing(row: ClosingRow) {
  return {
    _id: row.id,
    id: row.id,
    askedAt: row.asked_at.toISOString(),
    erasingSince: row.erasing_since.toISOString(),
    erasedAt: row.erased_at?.toISOString() ?? null,
    toppedUp: row.topped_up,
    corrected: row.corrected,
    charged: row.charged,
    chargedMessages: row.charged_messages,
    owed: row.owed,
    balance: row.balance,
    held: row.held,
  }
}
