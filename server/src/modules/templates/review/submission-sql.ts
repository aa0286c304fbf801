import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { SubmittedTemplate, TemplateDocument } from '../../../platform/types.ts'
import { loggedColumns, statusEvent } from './status-event-sql.ts'

/** A revision that is being submitted. */
export type Submission = {
  oa_id: string
  language: 'vi' | 'en'
  document: TemplateDocument
  /** The platform's number of the template, from an earlier revision. */
  platform_template_id: string | null
  created_at: Date
  attempted_at: Date | null
  is_suspended: boolean
}

/** Condition on a revision `r`: its template has no newer one. */
const isNewest = sql`not exists (
        select from template_revisions newer
        where newer.shop_id = r.shop_id and newer.template_id = r.template_id and newer.number > r.number
      )`

/**
 * Condition on a revision `r` and its template `t`: it is still to be submitted, and is deferred until exactly
 * `notBefore` (null: not deferred).
 */
export const isToSubmit = (notBefore: RawBuilder<unknown>) => sql`
      r.submitted_at is null and t.status = 'PENDING_REVIEW'
      and r.not_before is not distinct from ${notBefore} and ${isNewest}`

/**
 * The revision to submit. Undefined when its template left PENDING_REVIEW, it was already submitted, there is a newer
 * one, or it is deferred until another time than `notBefore`.
 */
export async function findSubmission(
  db: Db,
  shopId: ObjectId,
  templateId: ObjectId,
  revisionId: ObjectId,
  notBefore: Date | null,
): Promise<Submission | undefined> {
  const { rows } = await sql<Submission>`
    select t.oa_id, s.language, r.document, t.platform_template_id, r.created_at, r.attempted_at,
      s.suspended_at is not null as is_suspended
    from template_revisions r
    join templates t on t.shop_id = r.shop_id and t.id = r.template_id
    join shops s on s.id = r.shop_id
    where r.shop_id = ${shopId} and r.id = ${revisionId} and r.template_id = ${templateId}
      and ${isToSubmit(sql`${notBefore}::timestamptz`)}`.execute(db)
  return rows[0]
}

/** Records that from now on the platform may have the revision. */
export async function markAttempted(
  db: Db,
  shopId: ObjectId,
  revisionId: ObjectId,
  now: Date,
): Promise<void> {
  await sql`
    update template_revisions
    set attempted_at = ${now}
    where shop_id = ${shopId} and id = ${revisionId} and attempted_at is null`.execute(db)
}

/**
 * Defers a revision until `until`, with a line in the timeline. One statement.
 * @returns false when another job has deferred it already, or the template's status has changed.
 */
export async function deferSubmission(
  db: Db,
  shopId: ObjectId,
  templateId: ObjectId,
  revisionId: ObjectId,
  given: { former: Date | null; until: Date; reason: string; eventId: ObjectId; now: Date },
): Promise<boolean> {
  const { former, until, reason, eventId, now } = given
  const { rows } = await sql`
    with deferred as (
      update template_revisions r
      set not_before = ${until}
      from templates t
      where r.shop_id = ${shopId} and r.id = ${revisionId} and r.template_id = ${templateId}
        and r.submitted_at is null and r.not_before is not distinct from ${former}::timestamptz
        and t.shop_id = r.shop_id and t.id = r.template_id and t.status = 'PENDING_REVIEW'
      returning r.template_id
    )
    insert into template_events
      (shop_id, id, template_id, from_status, to_status, source, reason, created_at)
    select ${shopId}, ${eventId}, template_id, 'PENDING_REVIEW', 'PENDING_REVIEW', 'submission', ${reason}::text,
      ${now}::timestamptz
    from deferred
    returning id`.execute(db)
  return rows.length > 0
}

/**
 * Records that the platform accepted the revision, with the platform's number and prices. One statement. The template
 * is left unchanged if a newer revision was published meanwhile: the number does not belong to that one.
 */
export async function markSubmitted(
  db: Db,
  shopId: ObjectId,
  templateId: ObjectId,
  revisionId: ObjectId,
  submitted: SubmittedTemplate,
  now: Date,
): Promise<void> {
  await sql`
    with taken as (
      update template_revisions r
      set submitted_at = ${now}, platform_template_id = ${submitted.platformTemplateId}
      where r.shop_id = ${shopId} and r.id = ${revisionId} and r.submitted_at is null
      returning ${isNewest} as is_newest
    )
    update templates t
    set platform_template_id = ${submitted.platformTemplateId},
      preview_url = coalesce(${submitted.previewUrl ?? null}, t.preview_url),
      price_phone = coalesce(${submitted.priceVnd ?? null}, t.price_phone),
      price_uid = coalesce(${submitted.priceUidVnd ?? null}, t.price_uid),
      version = t.version + 1, updated_at = ${now}, updated_by = null
    from taken
    where taken.is_newest and t.shop_id = ${shopId} and t.id = ${templateId} and t.status = 'PENDING_REVIEW'`.execute(
    db,
  )
}

/**
 * Ends a submission that the platform did not accept. Does nothing when the template has moved on meanwhile, or another
 * job has submitted the revision.
 */
export async function rejectSubmission(
  db: Db,
  shopId: ObjectId,
  templateId: ObjectId,
  revisionId: ObjectId,
  rejection: { reason: string; eventId: ObjectId; now: Date },
): Promise<void> {
  const { reason, eventId, now } = rejection
  await sql`
    with moved as (
      update templates
      set status = 'REJECTED', reject_reason = ${reason}, version = version + 1, updated_at = ${now},
        updated_by = null
      where shop_id = ${shopId} and id = ${templateId} and status = 'PENDING_REVIEW'
        and exists (
          select from template_revisions r
          where r.shop_id = ${shopId} and r.id = ${revisionId} and r.submitted_at is null and ${isNewest}
        )
      returning shop_id, id, status, reject_reason, updated_at, platform_template_id
    ), logged as (
      insert into template_events
        (shop_id, id, template_id, from_status, to_status, source, reason, created_at)
      select shop_id, ${eventId}, id, 'PENDING_REVIEW', status, 'submission', reject_reason, updated_at
      from moved
      returning ${loggedColumns}
    ), ${statusEvent(shopId, now)}
    select id
    from moved`.execute(db)
}
