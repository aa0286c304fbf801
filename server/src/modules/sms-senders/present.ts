import type { SmsSenderRow } from './sql.ts'

/** A shop's sender of SMS without its keys. */
export function presentSmsSender(row: SmsSenderRow, version: number) {
  return {
    __v: version,
    provider: row.provider,
    brandname: row.brandname,
    price: row.price,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
