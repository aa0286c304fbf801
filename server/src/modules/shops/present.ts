import type { ShopRow } from './sql.ts'

export function presentShop(row: ShopRow) {
  return {
    _id: row.id,
    id: row.id,
    name: row.name,
    language: row.language,
    oversell: row.oversell,
    unknownPolicy: row.unknownPolicy,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
