import type { KeyRow } from './sql.ts'

/** A key as the management API shows it: never the key itself, which is shown only once, when it is issued (G-60). */
export function presentKey(row: KeyRow) {
  return {
    _id: row.id,
    id: row.id,
    __v: row.version,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    maxPerMinute: row.max_per_minute,
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}
