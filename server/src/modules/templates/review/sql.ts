import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { TemplateDocument } from '../../../platform/types.ts'
import { isSuspended } from '../../shops/suspended-sql.ts'
import type { TemplateStatus } from '../rules.ts'
import { loggedColumns, statusEvent } from './status-event-sql.ts'

/** The parts of a template that the platform's response can change. */
export type ReviewState = {
  shop_id: ObjectId
  id: ObjectId
  version: number
  oa_id: string
  status: TemplateStatus
  reject_reason: string | null
  platform_template_id: string | null
  preview_url: string | null
  price_phone: number | null
  price_uid: number | null
  timeout_seconds: number | null
  is_deleted_on_platform: boolean
  /** The last revision has not reached the platform yet: the platform's response still concerns an earlier one. */
  is_awaiting_submission: boolean
}

/** `revision_id` is set while the template is under review. */
export type DueTemplate = {
  shop_id: ObjectId
  id: ObjectId
  revision_id: ObjectId | null
  not_before: Date | null
}

export type Review = {
  status: TemplateStatus
  isDeleted: boolean
  rejectReason: string | undefined
  previewUrl: string | undefined
  pricePhone: number | undefined
  priceUid: number | undefined
  timeoutSeconds: number | undefined
  source: 'webhook' | 'polling' | 'submission'
  eventId: ObjectId
  now: Date
}

/** The given platform template ids of the OA that belong to a template of any shop linked with it. */
export async function listKnownPlatformIds(
  db: Db,
  oaId: string,
  platformTemplateIds: string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ platform_template_id: string }>`
    select t.platform_template_id
    from official_accounts oa
    join templates t on t.shop_id = oa.shop_id and t.platform_template_id = any(${platformTemplateIds}::text[])
    where oa.oa_id = ${oaId}`.execute(db)
  return new Set(rows.map((row) => row.platform_template_id))
}

/** The templates with this platform number, in every shop linked with the OA. */
export async function listByPlatformId(
  db: Db,
  oaId: string,
  platformTemplateId: string,
): Promise<{ shop_id: ObjectId; id: ObjectId }[]> {
  const { rows } = await sql<{ shop_id: ObjectId; id: ObjectId }>`
    select t.shop_id, t.id
    from official_accounts oa
    join templates t on t.shop_id = oa.shop_id and t.platform_template_id = ${platformTemplateId}
    where oa.oa_id = ${oaId} and t.oa_id = oa.oa_id and t.deleted_at is null
    order by t.shop_id
    limit 1000`.execute(db)
  return rows
}

/** Undefined when there is no such template, or it was deleted. */
export async function findReviewState(
  db: Db,
  shopId: ObjectId,
  templateId: ObjectId,
): Promise<ReviewState | undefined> {
  const { rows } = await sql<ReviewState>`
    select t.shop_id, t.id, t.version, t.oa_id, t.status, t.reject_reason, t.platform_template_id, t.preview_url,
      t.price_phone, t.price_uid, t.timeout_seconds, t.is_deleted_on_platform,
      t.status = 'PENDING_REVIEW' and exists (
        select from template_revisions r
        where r.shop_id = t.shop_id and r.template_id = t.id and r.submitted_at is null
          and not exists (
            select from template_revisions newer
            where newer.shop_id = r.shop_id and newer.template_id = r.template_id and newer.number > r.number
          )
      ) as is_awaiting_submission
    from templates t
    where t.shop_id = ${shopId} and t.id = ${templateId} and t.deleted_at is null`.execute(db)
  return rows[0]
}

/**
 * Writes the platform's response if the template is still in the state `seen`, with an entry in the timeline if the
 * status changes. One statement.
 * @returns whether it was written.
 */
export async function updateReview(
  db: Db,
  shopId: ObjectId,
  seen: ReviewState,
  review: Review,
): Promise<boolean> {
  const isApproved = review.status === 'ENABLE' || review.status === 'DISABLE'
  const { rows } = await sql<{ id: ObjectId }>`
    with moved as (
      update templates
      set status = ${review.status}, reject_reason = ${review.rejectReason ?? null}, is_sync = ${isApproved},
        platform = case when ${isApproved}::boolean then 'chatapp' else platform end,
        is_deleted_on_platform = ${review.isDeleted},
        preview_url = coalesce(${review.previewUrl ?? null}, preview_url),
        price_phone = coalesce(${review.pricePhone ?? null}, price_phone),
        price_uid = coalesce(${review.priceUid ?? null}, price_uid),
        timeout_seconds = coalesce(${review.timeoutSeconds ?? null}, timeout_seconds),
        checked_at = ${review.now}, version = version + 1, updated_at = ${review.now}, updated_by = null
      where shop_id = ${shopId} and id = ${seen.id} and version = ${seen.version}
      returning shop_id, id, status, platform_template_id
    ), logged as (
      insert into template_events
        (shop_id, id, template_id, from_status, to_status, source, reason, created_at)
      select shop_id, ${review.eventId}, id, ${seen.status}::text, status, ${review.source}::text,
        ${review.rejectReason ?? null}::text, ${review.now}::timestamptz
      from moved
      where status <> ${seen.status}::text
      returning ${loggedColumns}
    ), ${statusEvent(shopId, review.now)}
    select id from moved`.execute(db)
  return rows.length > 0
}

/** The content that the platform last accepted, which is what its response is about. */
export async function findSubmittedDocument(
  db: Db,
  shopId: ObjectId,
  templateId: ObjectId,
): Promise<TemplateDocument | undefined> {
  const { rows } = await sql<{ document: TemplateDocument }>`
    select document
    from template_revisions
    where shop_id = ${shopId} and template_id = ${templateId} and submitted_at is not null
    order by number desc
    limit 1`.execute(db)
  return rows[0]?.document
}

/**
 * Claims the templates whose status is due to be checked on the platform, those unchecked the longest first, and marks
 * them as checked, so that several processes share the round (G-16). A template that awaits submission is due if it was
 * published, or deferred until a time, before `staleBefore`: its submission was lost. It is not due while its shop is
 * suspended. Uses `templates_under_review` and `templates_on_platform`.
 */
export async function claimDue(
  db: Db,
  which: 'under-review' | 'approved',
  due: { checkedBefore: Date; staleBefore: Date; limit: number; now: Date },
): Promise<DueTemplate[]> {
  const { rows } = await sql<DueTemplate>`
    with due as (
      select t.shop_id, t.id, r.id as revision_id, r.not_before
      from templates t
      left join lateral (
        select id, submitted_at, created_at, not_before
        from template_revisions
        where shop_id = t.shop_id and template_id = t.id
        order by number desc
        limit 1
      ) r on true
      where ${
        which === 'under-review'
          ? sql`t.status = 'PENDING_REVIEW'`
          : sql`t.status in ('ENABLE', 'DISABLE') and not t.is_deleted_on_platform`
      }
        and (t.checked_at is null or t.checked_at < ${due.checkedBefore})
        and (
          t.platform_template_id is not null and (r.id is null or r.submitted_at is not null)
          or t.status = 'PENDING_REVIEW' and r.submitted_at is null
            and greatest(coalesce(t.checked_at, r.created_at), r.not_before) < ${due.staleBefore}
            and not ${isSuspended(sql`t.shop_id`)}
        )
      order by t.checked_at nulls first
      limit ${due.limit}
      for update of t skip locked
    )
    update templates t
    set checked_at = ${due.now}
    from due
    where t.shop_id = due.shop_id and t.id = due.id
    returning t.shop_id, t.id, case when t.status = 'PENDING_REVIEW' then due.revision_id end as revision_id,
      due.not_before`.execute(db)
  return rows
}
