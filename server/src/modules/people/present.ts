import type { ConsentRow } from '../consents/sql.ts'
import type { PersonsMessage } from './sql.ts'

/** A message to the person; `params` must be masked. */
export function presentMessageOf(row: PersonsMessage, params: Record<string, string>) {
  return {
    _id: row.id,
    templateId: row.template_id,
    state: row.state,
    params,
    fee: row.fee,
    errorCode: row.error_code ?? '',
    createdAt: row.created_at.toISOString(),
    deliveredAt: row.delivered_at?.toISOString() ?? null,
    timeline: row.timeline,
  }
}

export function presentConsentOf(row: ConsentRow) {
  return {
    _id: row.id,
    status: row.status,
    source: row.source,
    at: row.said_at.toISOString(),
    createdAt: row.created_at.toISOString(),
  }
}
