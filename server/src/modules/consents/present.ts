import type { ConsentRow } from './sql.ts'

export function presentConsent(row: ConsentRow) {
  return {
    _id: row.id,
    id: row.id,
    phone: row.channel === 'phone' ? row.recipient : '',
    userUID: row.channel === 'uid' ? row.recipient : '',
    status: row.status,
    source: row.source,
    at: row.said_at.toISOString(),
    recordedBy: { type: row.actor, id: row.actor_id },
    createdAt: row.created_at.toISOString(),
  }
}
