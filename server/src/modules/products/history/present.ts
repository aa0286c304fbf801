import type { HistoryRow } from './sql.ts'

export function presentEntry({ at, by, kind, changes, skus, sku_count: skuCount }: HistoryRow) {
  return { at: at.toISOString(), by, kind, changes, skus, skuCount }
}
