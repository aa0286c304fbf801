import { presentProfile } from './present-profile.ts'
import type { ShopRow } from './sql.ts'

export function presentShop(row: ShopRow) {
  return {
    _id: row.id,
    id: row.id,
    __v: row.version,
    name: row.name,
    language: row.language,
    oversell: row.oversell,
    unknownPolicy: row.unknownPolicy,
    ...presentProfile(row),
    suspendedAt: row.suspended_at?.toISOString() ?? null,
    suspensionReason: row.suspension_reason,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
