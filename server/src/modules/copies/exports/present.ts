import type { ExportRow } from './sql.ts'

export function presentExport(row: ExportRow, keptMs: number) {
  return {
    _id: row.id,
    id: row.id,
    type: row.type,
    url: `/api/external/exports/${row.id}/file`,
    cursor: row.cursor,
    createdAt: row.created_at.toISOString(),
    expiresAt: new Date(row.created_at.getTime() + keptMs).toISOString(),
  }
}
