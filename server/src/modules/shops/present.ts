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
    deletion:
      row.deletion_asked_at === null || row.deletion_due_at === null
        ? null
        : {
            askedAt: row.deletion_asked_at.toISOString(),
            dueAt: row.deletion_due_at.toISOString(),
            exportedAt: row.exported_at?.toISOString() ?? null,
            erasingSince: row.erasing_since?.toISOString() ?? null,
          },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
