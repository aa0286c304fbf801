import type { DraftHead, DraftRow } from './sql.ts'

/** A draft as the list shows it, without its content. */
export function presentDraftHead(row: DraftHead) {
  return {
    _id: row.id,
    id: row.id,
    __v: row.version,
    title: row.title,
    publishAt: row.publish_at?.toISOString() ?? null,
    problem: row.problem,
    problemDetails: row.problem_details,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export function presentDraft(row: DraftRow) {
  return {
    ...presentDraftHead(row),
    content: row.content,
    slug: row.slug,
    metaDescription: row.meta_description,
    status: row.status,
    images: row.images,
    cta: row.cta.map(({ name, url }) => ({ name, url })),
    itemIds: row.item_ids,
  }
}
