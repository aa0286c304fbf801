import { sql } from 'kysely'
import type { Db, Trx } from '../../../db/client.ts'
import type { FieldRule, RuleValues } from '../../../field-rules.ts'
import type { Edit } from '../../../lib/edit.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { lockShop } from '../../shops/sql.ts'
import { isSuspended } from '../../shops/suspended-sql.ts'
import type { Cta, NewsStatus } from '../sql.ts'

/** The field that prevents a draft from being published, as a 400 with details names it (G-03). */
export type ProblemDetail = { key: string; message: string; rule: FieldRule; values: RuleValues }
export type DraftHead = {
  id: ObjectId
  version: number
  title: string
  publish_at: Date | null
  problem: string | null
  problem_details: ProblemDetail[]
  created_at: Date
  updated_at: Date
}
export type DraftRow = DraftHead & {
  content: string
  slug: string
  meta_description: string
  status: NewsStatus
  images: string[]
  cta: Cta[]
  item_ids: ObjectId[]
}
export type DueDraft = { shop_id: ObjectId; id: ObjectId; version: number }
export type WrittenDraft = {
  title: string
  content: string
  slug: string
  metaDescription: string
  status: NewsStatus
  images: string[]
  cta: Cta[]
  itemIds: ObjectId[]
  publishAt: Date | null
}
type Change = WrittenDraft & { by: ObjectId | null; now: Date }

const headColumns = sql.raw(
  'id, version, title, publish_at, problem, problem_details, created_at, updated_at',
)
const columns = sql.raw(
  'id, version, title, publish_at, problem, problem_details, created_at, updated_at, content, slug, meta_description, status, images, cta, item_ids',
)

/** A shop's drafts without their content, last changed first: never more than a few. */
export async function listDrafts(db: Db, shopId: ObjectId, limit: number): Promise<DraftHead[]> {
  const { rows } = await sql<DraftHead>`
    select ${headColumns}
    from news_drafts
    where shop_id = ${shopId}
    order by updated_at desc, id desc
    limit ${limit}`.execute(db)
  return rows
}

export async function findDraft(db: Db, shopId: ObjectId, id: ObjectId): Promise<DraftRow | undefined> {
  const { rows } = await sql<DraftRow>`
    select ${columns}
    from news_drafts
    where shop_id = ${shopId} and id = ${id}`.execute(db)
  return rows[0]
}

/**
 * Inserts a draft; undefined when the shop already has `max`. It locks the shop's row, so that two concurrent inserts
 * cannot exceed the limit.
 * @throws the unique violation of `news_drafts_pkey` when there was one of this id.
 */
export async function insertDraft(
  trx: Trx,
  shopId: ObjectId,
  draft: Change & { id: ObjectId },
  max: number,
): Promise<DraftRow | undefined> {
  await lockShop(trx, shopId)
  const { rows } = await sql<DraftRow>`
    insert into news_drafts (shop_id, id, title, content, slug, meta_description, status, images, cta, item_ids, publish_at,
      created_at, updated_at, updated_by)
    select ${shopId}, ${draft.id}, ${draft.title}, ${draft.content}, ${draft.slug}, ${draft.metaDescription}, ${draft.status},
      ${JSON.stringify(draft.images)}::jsonb, ${JSON.stringify(draft.cta)}::jsonb, ${JSON.stringify(draft.itemIds)}::jsonb,
      ${draft.publishAt}::timestamptz, ${draft.now}::timestamptz, ${draft.now}::timestamptz, ${draft.by}
    where (select count(*) from news_drafts where shop_id = ${shopId}) < ${max}::integer
    returning ${columns}`.execute(trx)
  return rows[0]
}

/** Overwrites a draft if it is in a version that the caller knows; undefined otherwise (G-71). */
export async function overwriteDraft(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  draft: Change,
  { known }: Pick<Edit, 'known'>,
): Promise<DraftRow | undefined> {
  const isKnown = known === undefined ? sql`` : sql`and version = any(${known}::integer[])`
  const { rows } = await sql<DraftRow>`
    update news_drafts
    set title = ${draft.title}, content = ${draft.content}, slug = ${draft.slug}, meta_description = ${draft.metaDescription},
      status = ${draft.status}, images = ${JSON.stringify(draft.images)}::jsonb, cta = ${JSON.stringify(draft.cta)}::jsonb,
      item_ids = ${JSON.stringify(draft.itemIds)}::jsonb, publish_at = ${draft.publishAt}, problem = null, problem_details = '[]', retry_at = null,
      version = version + 1, updated_at = ${draft.now}, updated_by = ${draft.by}
    where shop_id = ${shopId} and id = ${id} ${isKnown}
    returning ${columns}`.execute(db)
  return rows[0]
}

/** Deletes a draft. @returns whether there was one. */
export async function deleteDraft(db: Db, shopId: ObjectId, id: ObjectId): Promise<boolean> {
  const { rows } = await sql`
    delete from news_drafts
    where shop_id = ${shopId} and id = ${id}
    returning id`.execute(db)
  return rows.length > 0
}

/**
 * The drafts whose time has come by the database's clock, the longest overdue first. Drafts that another process is
 * publishing are skipped, and those of suspended shops wait. Uses the index `news_drafts_due_or_retried`.
 */
export async function listDueDrafts(db: Db, limit: number): Promise<DueDraft[]> {
  const { rows } = await sql<DueDraft>`
    select shop_id, id, version
    from news_drafts
    where coalesce(retry_at, publish_at) <= now() and publish_at is not null and problem is null
      and not ${isSuspended(sql`news_drafts.shop_id`)}
    order by coalesce(retry_at, publish_at)
    limit ${limit}
    for update skip locked`.execute(db)
  return rows
}

/**
 * Deletes and returns a draft to publish it; with `onlyDue`, only if its time has come. Of two concurrent callers, one
 * gets it.
 */
export async function takeDraft(
  trx: Trx,
  shopId: ObjectId,
  id: ObjectId,
  { onlyDue }: { onlyDue: boolean },
): Promise<(DraftRow & { updated_by: ObjectId | null }) | undefined> {
  const isDue = onlyDue ? sql`and publish_at <= now() and problem is null` : sql``
  const { rows } = await sql<DraftRow & { updated_by: ObjectId | null }>`
    delete from news_drafts
    where shop_id = ${shopId} and id = ${id} ${isDue}
    returning ${columns}, updated_by`.execute(trx)
  return rows[0]
}

/**
 * Stores why a draft could not be published, unless it was changed since. Its version stays, because nobody edited it.
 */
export async function noteProblem(
  db: Db,
  { shop_id: shopId, id, version }: DueDraft,
  problem: { text: string; details: ProblemDetail[] },
): Promise<void> {
  await sql`
    update news_drafts
    set problem = ${problem.text}, problem_details = ${JSON.stringify(problem.details)}::jsonb
    where shop_id = ${shopId} and id = ${id} and version = ${version}`.execute(db)
}

/**
 * Defers a failed draft for as long as it has been due, at least 10 seconds and at most 15 minutes, so that it does not
 * hold up the drafts after it.
 */
export async function postponeDraft(db: Db, { shop_id: shopId, id, version }: DueDraft): Promise<void> {
  await sql`
    update news_drafts
    set retry_at = now() + least(greatest(now() - greatest(publish_at, updated_at), '10 seconds'), interval '15 minutes')
    where shop_id = ${shopId} and id = ${id} and version = ${version}`.execute(db)
}
