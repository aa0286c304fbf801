import type { EventRow, HistoryRow, MessageRow } from './history/sql.ts'

/**
 * An ended message as the history shows it (E7, G-25). `reasonText` is the error in the reader's language. An accepted
 * message shows the platform's time of sending until a receipt brings the time of delivery.
 */
export function presentHistoryRecord(row: HistoryRow, reasonText: string) {
  return { ...record(row, reasonText), status: row.state }
}

/** A message in any state with its timeline, oldest first (G-27). Only the operator sees the platform's raw responses. */
export function presentMessage(
  row: MessageRow,
  reasonText: string,
  textOf: (event: EventRow) => string | undefined,
) {
  return {
    ...record(row, reasonText),
    // For the shop the message is still being sent, by whichever way.
    status: row.state === 'FALLBACK' ? 'SENDING' : row.state,
    late: row.is_late,
    isTest: row.is_test,
    params: row.params,
    deliveredBy: row.state === 'RECEIVED' ? (row.is_by_sms ? ('sms' as const) : row.channel) : null,
    events: row.events.map((event) => presentEvent(event, textOf(event))),
  }
}

function presentEvent({ kind, detail, at }: EventRow, reason: string | undefined) {
  return {
    kind,
    createdAt: at,
    ...(reason === undefined ? {} : { reason }),
    ...(detail.code === undefined ? {} : { code: detail.code }),
    ...(detail.session_id === undefined ? {} : { sessionId: detail.session_id }),
    ...(detail.delivered_at === undefined
      ? {}
      : { deliveryTime: String(new Date(detail.delivered_at).getTime()) }),
    ...(detail.attempt === undefined ? {} : { attempt: detail.attempt }),
    ...(detail.fee === undefined ? {} : { fee: detail.fee }),
    ...(detail.charged === undefined ? {} : { charged: detail.charged }),
    ...(detail.owed === undefined ? {} : { owed: detail.owed }),
    ...(detail.parts === undefined ? {} : { parts: detail.parts }),
  }
}

function record(row: HistoryRow | MessageRow, reasonText: string) {
  return {
    _id: row.id,
    id: row.id,
    phone: row.phone,
    ...(row.channel === 'uid' ? { userUID: row.user_uid } : {}),
    templateId: row.platform_template_id,
    reason: row.state === 'ERROR' ? reason(row, reasonText) : '',
    sessionId: row.state === 'ERROR' ? '' : row.session_id,
    ...(row.state === 'RECEIVED'
      ? { deliveryTime: String((row.delivered_at ?? row.sent_at ?? row.created_at).getTime()) }
      : {}),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** JSON text; `code` is the platform's number, or a code of ours. The values were masked when the message ended. */
function reason(row: Pick<HistoryRow, 'error_code' | 'params'>, error: string): string {
  return JSON.stringify({ error, code: shownCode(row.error_code), params: row.params })
}

/** The platform's number as a number, a code of ours as text; '' where there is none. */
export function shownCode(code: string | null): number | string {
  return /^-?\d+$/.test(code ?? '') ? Number(code) : (code ?? '')
}
