import type { Deps } from '../../../deps.ts'
import { OWN_EDIT } from '../../../lib/edit.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { PlatformTemplate, PlatformTemplateStatus } from '../../../platform/types.ts'
import { updateStanding } from '../report/sql.ts'
import { lockTemplate, overwriteTemplate } from '../sql.ts'
import { findReviewState, findSubmittedDocument, type ReviewState, updateReview } from './sql.ts'

/** What an event reports about a template. */
export type ReportedReview = { status: PlatformTemplateStatus; deleted: boolean; reason?: string | undefined }

/**
 * `changed`, `unchanged`: the platform's review is stored. `not-there`: the template does not exist, or not on the
 * platform. `awaiting`: its last revision has not been submitted, so the review is about an older one. `refused`: the
 * platform refuses the question, for example because the template is not its own. `unanswered`: the platform gave no
 * usable response.
 */
export type ReviewOutcome = 'changed' | 'unchanged' | 'not-there' | 'awaiting' | 'refused' | 'unanswered'

type PlatformReview = ReportedReview &
  Pick<PlatformTemplate, 'previewUrl' | 'priceVnd' | 'priceUidVnd' | 'timeoutSeconds'>

const TRIES = 3

/**
 * Updates a template to the platform's state: status, reason, fees and preview, with an entry in the timeline (G-16).
 * Events arrive late, twice and out of order, so an event only signals that something changed; the platform's current
 * review is stored. The event's own content, `reported`, is used only if the platform refuses the question, or, with
 * `isLast`, if it cannot be reached. The platform's review overrides every status except DRAFT. If a template was
 * REJECTED here and may have been edited since, an approval restores the content that was approved.
 */
export async function refreshTemplate(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'platform'>,
  shopId: ObjectId,
  templateId: ObjectId,
  asked: { source: 'webhook' | 'polling' | 'submission'; reported?: ReportedReview; isLast?: boolean },
): Promise<ReviewOutcome> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const seen = await findReviewState(deps.db, shopId, templateId)
    if (seen === undefined || seen.platform_template_id === null || seen.status === 'DRAFT')
      return 'not-there'
    if (seen.is_awaiting_submission) return 'awaiting'
    const oa = { shopId, oaId: seen.oa_id }
    const info = await deps.platform.templateInfo(oa, seen.platform_template_id)
    if (info.kind === 'ok' && info.data.quality !== undefined) {
      await updateStanding(deps.db, shopId, templateId, { quality: info.data.quality, now: deps.clock.now() })
    }
    let review: PlatformReview | undefined
    if (info.kind === 'ok' && info.data.status !== undefined) {
      review = { ...info.data, status: info.data.status }
      if (review.status === asked.reported?.status) review.reason ??= asked.reported.reason
    } else if (info.kind === 'rejected' || asked.isLast) {
      review = asked.reported
    }
    if (review === undefined) return info.kind === 'rejected' ? 'refused' : 'unanswered'
    if (isKnown(seen, review)) return 'unchanged'
    if (await write(deps, seen, review, asked.source)) return 'changed'
  }
  return 'unanswered'
}

function isKnown(seen: ReviewState, review: PlatformReview): boolean {
  return (
    seen.status === review.status &&
    seen.is_deleted_on_platform === review.deleted &&
    (review.status !== 'REJECTED' || review.reason === undefined || review.reason === seen.reject_reason) &&
    (review.previewUrl ?? seen.preview_url) === seen.preview_url &&
    (review.priceVnd ?? seen.price_phone) === seen.price_phone &&
    (review.priceUidVnd ?? seen.price_uid) === seen.price_uid &&
    (review.timeoutSeconds ?? seen.timeout_seconds) === seen.timeout_seconds
  )
}

async function write(
  { db, ids, clock }: Pick<Deps, 'db' | 'ids' | 'clock'>,
  seen: ReviewState,
  review: PlatformReview,
  source: 'webhook' | 'polling' | 'submission',
): Promise<boolean> {
  const now = clock.now()
  const change = {
    status: review.status,
    isDeleted: review.deleted,
    rejectReason:
      review.status === 'REJECTED' ? (review.reason ?? seen.reject_reason ?? undefined) : undefined,
    previewUrl: review.previewUrl,
    pricePhone: review.priceVnd,
    priceUid: review.priceUidVnd,
    timeoutSeconds: review.timeoutSeconds,
    source,
    eventId: ids.next(),
    now,
  }
  if (seen.status !== 'REJECTED' || review.status === 'REJECTED') {
    return updateReview(db, seen.shop_id, seen, change)
  }
  const document = await findSubmittedDocument(db, seen.shop_id, seen.id)
  return db.transaction().execute(async (trx) => {
    const locked = await lockTemplate(trx, seen.shop_id, seen.id)
    if (locked?.version !== seen.version) return false
    const restored =
      document === undefined
        ? locked
        : ((await overwriteTemplate(trx, seen.shop_id, seen.id, document, now, OWN_EDIT)) ?? locked)
    return updateReview(trx, seen.shop_id, { ...seen, version: restored.version }, change)
  })
}
