import type { OfficialAccountRow } from './sql.ts'

/** An official account without its secrets; only shows which of them are stored. */
export function presentOfficialAccount(row: OfficialAccountRow) {
  return {
    _id: row.id,
    id: row.id,
    __v: row.version,
    oaId: row.oa_id,
    name: row.name,
    appId: row.app_id,
    price: row.price_phone,
    priceUID: row.price_uid,
    chargeOn: row.charge_on,
    hasSecretKey: row.secret_key !== null || row.has_app_secret,
    hasAccessToken: row.access_token !== null,
    hasRefreshToken: row.refresh_token !== null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
