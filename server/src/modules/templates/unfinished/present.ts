import type { UnfinishedHead, UnfinishedRow } from './sql.ts'

/** An unfinished template as the list shows it, without its content. */
export function presentUnfinishedHead(row: UnfinishedHead) {
  return {
    _id: row.id,
    id: row.id,
    __v: row.version,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export function presentUnfinished(row: UnfinishedRow) {
  return { ...presentUnfinishedHead(row), content: row.content }
}
