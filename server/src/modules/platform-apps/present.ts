import type { ListedAppRow } from './sql.ts'

/** An app without its secrets, with flags for those that are stored. */
export function presentPlatformApp(row: ListedAppRow) {
  return {
    appId: row.app_id,
    name: row.name,
    hasAppSecret: row.app_secret !== null,
    hasOaSecretKey: row.oa_secret_key !== null,
    hasPreviousOaSecretKey: row.previous_oa_secret_key !== null,
    accounts: row.accounts,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
