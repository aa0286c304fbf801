import type { HistoryRow } from './history-sql.ts'

/**
 * An ended message as the history shows it (E7, G-25). `reasonText` is the error in the reader's language.
 * Until a receipt brings the real time, an accepted message shows the platform's sent time.
 */
export function presentHistoryRecord(row: HistoryRow, reasonText: string) {
  return {
    _id: row.id,
    id: row.id,
    phone: row.phone,
    ...(row.channel === 'uid' ? { userUID: row.user_uid } : {}),
    templateId: row.platform_template_id,
    status: row.state,
    reason: row.state === 'ERROR' ? reason(row, reasonText) : '',
    sessionId: row.session_id,
    ...(row.state === 'RECEIVED'
      ? { deliveryTime: String((row.delivered_at ?? row.sent_at ?? row.created_at).getTime()) }
      : {}),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** JSON text; `code` is the platform's number, or a word of ours. The values were masked when the message ended. */
function reason(row: HistoryRow, error: string): string {
  const code = row.error_code ?? ''
  return JSON.stringify({ error, code: /^-?\d+$/.test(code) ? Number(code) : code, params: row.params })
}
