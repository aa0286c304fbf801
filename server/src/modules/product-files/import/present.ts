import type { ErrorRow, ImportRow } from './sql.ts'

export function presentImport(row: ImportRow) {
  return {
    _id: row.id,
    id: row.id,
    status: row.status,
    format: row.format,
    mode: row.mode,
    dryRun: row.is_dry_run,
    total: row.total,
    done: row.done,
    created: row.created,
    updated: row.updated,
    unchanged: row.unchanged,
    failed: row.failed,
    stocked: row.stocked,
    stockKept: row.stock_kept,
    errorCount: row.errors,
    reason: row.reason,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  }
}

/** An error of a line. The broken rule is included only for callers that ask for it (G-03). */
export function presentError({ line, column, message, rule, values }: ErrorRow, hasDetails: boolean) {
  return { line, column, message, ...(hasDetails && rule && values ? { rule, values } : {}) }
}
