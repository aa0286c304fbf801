import type { AuditRow } from './sql.ts'

export function presentAuditEntry(row: AuditRow) {
  return {
    _id: row.id,
    id: row.id,
    shopId: row.shop_id,
    shopName: row.shop_name,
    actor: row.actor,
    actorId: row.actor_id,
    actorName: row.actor_name,
    actorEmail: row.actor_email,
    action: row.action,
    target: row.target,
    detail: row.detail,
    requestId: row.request_id,
    address: row.address,
    createdAt: row.created_at.toISOString(),
  }
}
